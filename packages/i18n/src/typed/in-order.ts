import type { Language } from '@guild-settings/contract/constants';

/** Returns what there is for each language: that of the reader first, then that of English, then the others. */
export function inOrder<Words>(all: Readonly<Record<Language, Words>>, language: string): readonly Words[] {
  const known = Object.hasOwn(all, language) ? [all[language as Language]] : [];
  return [...new Set([...known, all['en-US'], ...Object.values(all)])];
}
