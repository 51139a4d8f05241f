import { type Language, LOCALES } from '@guild-settings/bot';

/** Returns the texts of a language by their dotted keys; the plural forms of a text share one key. */
export function localeTexts(language: Language): Map<string, string[]> {
  const texts = new Map<string, string[]>();
  collect(LOCALES[language], '', texts);
  return texts;
}

function collect(node: object, prefix: string, texts: Map<string, string[]>): void {
  for (const [key, value] of Object.entries(node)) {
    const path = `${prefix}${key}`;
    if (typeof value === 'object') collect(value, `${path}.`, texts);
    else {
      const base = path.replace(/_(?:one|few|many|other)$/, '');
      texts.set(base, [...(texts.get(base) ?? []), value]);
    }
  }
}

/** Returns whether a message contains a text of a locale, with any values for its placeholders. */
export function isFilledIn(text: string, message: string): boolean {
  const literals = text.split(/\{\{\w+\}\}/).map((literal) => literal.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(literals.join('[^]+?')).test(message);
}
