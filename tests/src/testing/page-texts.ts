import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { flatTexts, type Texts } from '@guild-settings/i18n/compare-texts';

const ENGLISH = new URL('../../../apps/dashboard/src/page/i18n/locales/en-US/', import.meta.url);

/** The parts of the page's texts. */
export const PARTS: readonly string[] = readdirSync(ENGLISH).map((file) => basename(file, '.json'));

/** Returns the English texts of a part of the page. */
export function englishTexts(part: string): Texts {
  return JSON.parse(readFileSync(new URL(`${part}.json`, ENGLISH), 'utf8'));
}

/** Returns the keys of English texts of the page that none of the shown texts contains, in any of their plural forms. */
export async function textsNotIn(shown: readonly string[], parts: readonly string[]): Promise<string[]> {
  const all = [...new Set(shown)].join('\n');
  const missing: string[] = [];
  for (const part of parts) {
    const forms = new Map<string, string[]>();
    for (const [key, text] of flatTexts(englishTexts(part))) {
      const name = `${part} ${key.replace(/_(?:one|other)$/, '')}`;
      forms.set(name, [...(forms.get(name) ?? []), text]);
    }
    for (const [name, texts] of forms) if (!texts.some((text) => patternOf(text).test(all))) missing.push(name);
  }
  return missing;
}

/** Returns what a text looks like when its places are filled, as whole words. */
function patternOf(text: string): RegExp {
  const pieces = text.split(/\{\{\w+\}\}/).map((piece) => piece.trim().replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`(?<![\\p{L}\\d])${pieces.join('.*')}(?![\\p{L}\\d])`, 'u');
}
