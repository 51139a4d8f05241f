import { type Language, LOCALES } from '@guild-settings/bot';

/** The texts of a language by their dotted keys; the plural forms of one text together under one key. */
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

/** Whether somebody who read this has read a text of a locale, filled in with whatever. */
export function isSaidIn(text: string, said: string): boolean {
  const literals = text.split(/\{\{\w+\}\}/).map((literal) => literal.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(literals.join('[^]+?')).test(said);
}
