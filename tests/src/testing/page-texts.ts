import { readdirSync } from 'node:fs';
import { flatTexts, type Texts } from '@guild-settings/i18n/compare-texts';

const PAGE = new URL('../../../apps/dashboard/src/page/i18n/locales/', import.meta.url);

/** The parts of the page's texts. */
export const PARTS: readonly string[] = readdirSync(PAGE);

/** Returns the English texts of a part of the page. */
export async function englishTexts(part: string): Promise<Texts> {
  const { texts }: { readonly texts: Texts } = await import(new URL(`${part}/en-us.ts`, PAGE).href);
  return texts;
}

/** Returns the keys of English texts of the page that none of the shown texts contains, in any of their plural forms. */
export async function textsNotIn(shown: readonly string[], parts: readonly string[]): Promise<string[]> {
  const all = [...new Set(shown)].join('\n');
  const missing: string[] = [];
  for (const part of parts) {
    const forms = new Map<string, string[]>();
    for (const [key, text] of flatTexts(await englishTexts(part))) {
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
