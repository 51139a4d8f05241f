export type Texts = { readonly [key: string]: string | Texts };

const FORM = /_(zero|one|two|few|many|other)$/;

/** Returns every text by its full key, such as `undo.done`. The key `_comment` holds a comment for translators. */
export function flatTexts(texts: Texts, path = ''): Map<string, string> {
  return new Map(
    Object.entries(texts).flatMap(([key, value]) => {
      if (key === '_comment') return [];
      return typeof value === 'string' ? [[`${path}${key}`, value] as const] : [...flatTexts(value, `${path}${key}.`)];
    }),
  );
}

/**
 * Returns the flaws in the texts of a language, compared with the English ones: missing texts, and texts that cannot
 * replace the English one.
 */
export function textFlaws(language: string, texts: Texts, english: Texts): string[] {
  const keys = flatTexts(texts);
  const missing = [...formsOf(flatTexts(english).keys(), language)].filter((key) => !keys.has(key));
  const flaws = replacementFlaws(language, texts, english);
  return [...new Set([...missing.map((key) => `${key} is missing`), ...flaws])];
}

/**
 * Returns the flaws in some texts of a language, compared with the English ones that they replace: unknown keys, empty
 * or padded texts, and plural forms or placeholders that differ.
 * @param present the texts of the language to which they are added
 */
export function replacementFlaws(language: string, texts: object, english: Texts, present: Texts = {}): string[] {
  const model = flatTexts(english);
  const keys = formsOf(model.keys(), language);
  const leaves = new Map(leavesOf(texts));
  const flaws = [...leaves].flatMap(([key, text]) => {
    if (!keys.has(key)) return [`${key} is not a text${FORM.test(key) ? ` of ${language}` : ''}`];
    if (typeof text !== 'string') return [`${key} is not a string`];
    if (text === '' || text !== text.trim()) return [`${key} is empty or padded`];
    const [found, wanted] = [text, model.get(key) ?? model.get(key.replace(FORM, '_other')) ?? ''].map(placeholders);
    return found === wanted
      ? []
      : [`${key} has the placeholders ${found || '(none)'} instead of ${wanted || '(none)'}`];
  });
  const all = new Set([...leaves.keys(), ...flatTexts(present).keys()]);
  const forms = formsOf(
    [...leaves.keys()].filter((key) => keys.has(key)),
    language,
  );
  return [...flaws, ...[...forms].filter((key) => !all.has(key)).map((key) => `${key} is missing`)];
}

/** Returns all values of texts by their full keys, of any type. */
function leavesOf(texts: object, path = ''): (readonly [key: string, value: unknown])[] {
  return Object.entries(texts).flatMap(([name, value]) => {
    const key = `${path}${name}`;
    if (name === '_comment' || value === undefined) return [];
    const isGroup = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isGroup && Object.keys(value).length > 0 ? leavesOf(value, `${key}.`) : [[key, value] as const];
  });
}

/** Returns keys with the plural forms of a language instead of the English ones. */
function formsOf(keys: Iterable<string>, language: string): ReadonlySet<string> {
  const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
  return new Set(
    [...keys].flatMap((key) =>
      FORM.test(key) ? pluralCategories.map((form) => key.replace(FORM, `_${form}`)) : [key],
    ),
  );
}

/** Returns the placeholders that i18next replaces in a text. */
function placeholders(text: string): string {
  return [...new Set([...text.matchAll(/\{\{.*?\}\}|\$t\(/gs)].map(([place]) => place))].toSorted().join(', ');
}
