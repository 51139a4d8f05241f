import type { Language } from '@guild-settings/contract/constants';

export type Texts = { readonly [key: string]: string | Texts };

const FORM = /_(zero|one|two|few|many|other)$/;

/** Returns every text by its whole key, such as `undo.done`. A key `_comment` has a comment for translators. */
export function flatTexts(texts: Texts, path = ''): Map<string, string> {
  return new Map(
    Object.entries(texts).flatMap(([key, value]) => {
      if (key === '_comment') return [];
      return typeof value === 'string' ? [[`${path}${key}`, value] as const] : [...flatTexts(value, `${path}${key}.`)];
    }),
  );
}

/**
 * Returns what is wrong with the texts of a language, measured by the English ones: texts that are missing, too many, empty or
 * padded, plural forms other than those of the language, and placeholders other than in English.
 */
export function textFlaws(language: Language, texts: Texts, english: Texts): string[] {
  const [own, model] = [flatTexts(texts), flatTexts(english)];
  const expected = [...model.keys()].flatMap((key) => (FORM.test(key) ? formsOf(key, language) : [key]));
  return [
    ...[...new Set(expected)].filter((key) => !own.has(key)).map((key) => `${key} is missing`),
    ...[...own.keys()].filter((key) => !expected.includes(key)).map((key) => `${key} is too many`),
    ...[...own].filter(([, text]) => text === '' || text !== text.trim()).map(([key]) => `${key} is empty or padded`),
    ...[...own]
      .filter(([key, text]) => placeholders(text) !== placeholders(modelText(model, key)))
      .map(([key, text]) => `${key} has the placeholders {${placeholders(text)}}`),
  ];
}

function modelText(model: ReadonlyMap<string, string>, key: string): string {
  return model.get(key) ?? model.get(key.replace(FORM, '_other')) ?? '';
}

function formsOf(key: string, language: Language): string[] {
  const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
  return pluralCategories.map((form) => key.replace(FORM, `_${form}`));
}

function placeholders(text: string): string {
  return [...new Set([...text.matchAll(/\{\{(\w+)/g)].map(([, name]) => name))].toSorted().join();
}
