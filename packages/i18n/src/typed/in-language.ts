import type { Language } from '@guild-settings/contract/constants';

/** Returns the values for the reader's language and for English. */
export function inLanguage<Words>(all: Readonly<Record<Language, Words>>, language: string): readonly Words[] {
  const known = Object.hasOwn(all, language) ? [all[language as Language]] : [];
  return [...new Set([...known, all['en-US']])];
}
