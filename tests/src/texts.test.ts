import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { BOT_TEXTS } from '@guild-settings/bot';
import { LOCALES } from '@guild-settings/discord/framework';
import { flatTexts, type Texts } from '@guild-settings/i18n/compare-texts';
import { SHARED_TEXTS } from '@guild-settings/i18n/texts';
import { expect, test } from 'vitest';

const ENGLISH = new URL('../../apps/dashboard/src/page/i18n/locales/en-US/', import.meta.url);

const PARTS: readonly string[] = readdirSync(ENGLISH).map((file) => basename(file, '.json'));

function englishTexts(part: string): Texts {
  return JSON.parse(readFileSync(new URL(`${part}.json`, ENGLISH), 'utf8'));
}

function allEnglishTexts(): ReadonlyMap<string, Texts> {
  const { commands: _settings, ...discord } = LOCALES['en-US'];
  const { commands: _own, ...bot } = BOT_TEXTS['en-US'];
  const parts = PARTS.map((part) => [`page ${part}`, englishTexts(part)] as const);
  return new Map<string, Texts>([['shared', SHARED_TEXTS['en-US']], ['discord', discord], ['bot', bot], ...parts]);
}

/** Labels of one word may differ in another language: to cancel a dialog and to cancel a reminder are two words in some. */
function isSentence(text: string): boolean {
  return text
    .replaceAll(/\{\{\w+\}\}/g, '')
    .trim()
    .includes(' ');
}

/** The text without what may be written differently where it stands. */
function core(text: string): string {
  return text
    .replaceAll(/\{\{\w+\}\}|#/g, '…')
    .replaceAll(/[*.:]/g, '')
    .trim();
}

test('no English sentence stands in two places: what the bot and the page both say is in the package', () => {
  const places = new Map<string, string[]>();
  for (const [part, texts] of allEnglishTexts()) {
    for (const [key, text] of flatTexts(texts)) {
      if (isSentence(text)) places.set(core(text), [...(places.get(core(text)) ?? []), `${part} ${key}`]);
    }
  }
  expect(places.size).toBeGreaterThan(300);
  const repeated = [...places].filter(([, keys]) => new Set(keys.map((key) => key.replace(/_\w+$/, ''))).size > 1);
  expect(repeated).toStrictEqual([]);
});
