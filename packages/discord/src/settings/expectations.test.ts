import { LANGUAGES } from '@guild-settings/contract';
import { DeclaredSettings, defineSettings } from '@guild-settings/contract/settings';
import { invocationIn } from '@guild-settings/testing/bot';
import { expect, test } from 'vitest';
import type { ChannelsOfGuilds } from '../discord/channels.ts';
import { Refusal } from '../i18n/text.ts';
import { parseSetting } from './parse-setting.ts';

const label = { 'en-US': 'Label' };

const DECLARED = new DeclaredSettings(
  defineSettings({
    settings: {
      on: { kind: 'switch', label },
      count: { kind: 'integer', min: 0, max: 1_000_000, default: 5, unit: '%', label },
      rate: { kind: 'number', min: 0, max: 10, decimals: 2, default: 1, label },
      exact: { kind: 'number', min: 0, max: 10_000, decimals: 3, default: 1, label },
      pause: { kind: 'duration', min: 60, max: 5_400, default: 60, label },
      level: { kind: 'choice', choices: { off: { 'en-US': 'Nothing' }, all: label }, default: 'off', label },
      wake: { kind: 'time', default: '08:00', label },
      zone: { kind: 'timeZone', label },
      accent: { kind: 'color', default: '#000000', label },
      mark: { kind: 'emoji', label },
      title: { kind: 'text', max: 20, placeholders: { user: label, server: label }, label },
      log: { kind: 'channel', label },
      role: { kind: 'role', label },
      leader: { kind: 'user', label },
      marks: { kind: 'emoji', many: { max: 2 }, label },
      colors: { kind: 'color', many: { max: 3 }, label },
      team: { kind: 'user', many: { max: 2 }, label },
    },
  }),
);

/** Texts that are invalid, out of range, or ambiguous. */
const TYPED: Readonly<Record<string, readonly string[]>> = {
  on: ['maybe'],
  count: ['many', '1000001', '1.5'],
  rate: ['much', '11', '1.234'],
  exact: ['1,500', '1.500'],
  pause: ['soon', '1s', '1M'],
  level: ['some'],
  wake: ['25:00', 'morning'],
  zone: ['Mars/Phobos', 'IST', 'JST'],
  accent: ['blurpel', '#12345'],
  mark: [':nope:', 'x'],
  title: ['Hi {usr}', 'x'.repeat(21)],
  log: ['#nowhere', 'https://discord.com/channels/1300000000000000009/1300000000000000009'],
  role: ['@nobody'],
  leader: ['nobody', '1300000000000000009'],
  marks: ['👋 x', '👋🎉✅'],
  colors: ['red, blurpel', 'red blue green gold'],
  team: ['nobody'],
};

const NOTHING = {
  known: () => [],
  membersNamed: async () => [],
  hasMember: async () => false,
  hasRole: () => false,
} as Partial<ChannelsOfGuilds> as ChannelsOfGuilds;

test.each(LANGUAGES)('in %s, a person reads what is taken in place of what was typed', async (language) => {
  const context = { ...invocationIn(language), channels: NOTHING };
  const lines: string[] = [];
  for (const [name, texts] of Object.entries(TYPED)) {
    const setting = DECLARED.byField.get(`custom.${name}`);
    if (setting === undefined) throw new Error(name);
    for (const typed of texts) {
      const reply = await parseSetting(setting, typed, context).catch((error: unknown) => {
        if (error instanceof Refusal) return error.message;
        throw error;
      });
      lines.push(`# ${name} ${typed}`, typeof reply === 'string' ? reply : JSON.stringify(reply), '');
    }
  }
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(`golden/expectations.${language}.txt`);
});
