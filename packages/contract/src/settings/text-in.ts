import type { Texts } from './setting-declaration.ts';

/** Returns a text in a language, else in English, else in the first language that it has; undefined: it has none. */
export function textIn(texts: Texts | undefined, language: string): string | undefined {
  const all = (texts ?? {}) as Readonly<Record<string, string | undefined>>;
  return (Object.hasOwn(all, language) ? all[language] : undefined) ?? all['en-US'] ?? Object.values(all)[0];
}
