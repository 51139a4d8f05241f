import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { BOT_TEXTS } from '@guild-settings/bot';
import type { Language } from '@guild-settings/contract';
import { LOCALES } from '@guild-settings/discord/framework';
import { flatTexts, type Texts } from '@guild-settings/i18n/compare-texts';
import { SHARED_TEXTS } from '@guild-settings/i18n/texts';
import { expect, test } from 'vitest';

const PAGE = new URL('../../apps/dashboard/src/page/i18n/locales/', import.meta.url);

const PARTS: readonly string[] = readdirSync(new URL('en-US/', PAGE)).map((file) => basename(file, '.json'));

function allTexts(language: Language): ReadonlyMap<string, Texts> {
  const { commands: _settings, ...discord } = LOCALES[language];
  const { commands: _own, ...bot } = BOT_TEXTS[language];
  const parts = PARTS.map((part) => {
    const texts: Texts = JSON.parse(readFileSync(new URL(`${language}/${part}.json`, PAGE), 'utf8'));
    return [`page ${part}`, texts] as const;
  });
  return new Map<string, Texts>([['shared', SHARED_TEXTS[language]], ['discord', discord], ['bot', bot], ...parts]);
}

/**
 * Labels of one word may differ in another language: cancelling a dialog and cancelling a reminder are different words
 * in some.
 */
function isSentence(text: string): boolean {
  return text
    .replaceAll(/\{\{\w+\}\}/g, '')
    .trim()
    .includes(' ');
}

/** The text without parts that may be written differently depending on context. */
function core(text: string): string {
  return text
    .replaceAll(/\{\{\w+\}\}|#/g, '…')
    .replaceAll(/[*.:]/g, '')
    .trim();
}

test('no English sentence stands in two places: what the bot and the page both say is in the package', () => {
  const places = new Map<string, string[]>();
  for (const [part, texts] of allTexts('en-US')) {
    for (const [key, text] of flatTexts(texts)) {
      if (isSentence(text)) places.set(core(text), [...(places.get(core(text)) ?? []), `${part} ${key}`]);
    }
  }
  expect(places.size).toBeGreaterThan(300);
  const repeated = [...places].filter(([, keys]) => new Set(keys.map((key) => key.replace(/_\w+$/, ''))).size > 1);
  expect(repeated).toStrictEqual([]);
});

test('Japanese texts have the punctuation of Japanese, which has its space in itself', () => {
  const wrong = [...allTexts('ja')].flatMap(([part, texts]) =>
    [...flatTexts(texts)]
      .filter(([, text]) => /: |:$| \(|\) |[：、。（）] | [：、。（）]/.test(text))
      .map(([key]) => `${part} ${key}`),
  );
  expect(wrong).toStrictEqual([]);
});
