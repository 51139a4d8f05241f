import { GuildSettings, LANGUAGES, type Language } from '@guild-settings/contract';
import { DeclaredSettings, defineSettings, SPECIFIED_SETTINGS } from '@guild-settings/contract/settings';
import { anyCharacter } from '@guild-settings/testing/any-character';
import { invocationIn } from '@guild-settings/testing/bot';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ChannelState, ChannelsOfGuilds } from '../discord/channels.ts';
import { Refusal } from '../i18n/text.ts';
import { parseSetting } from './parse-setting.ts';

type SettingName = keyof GuildSettings;

const CHANNEL = '1300000000000000001';

async function parsed(
  name: string,
  typed: string,
  language: Language = 'en-US',
  state: ChannelState = 'writable',
  settings: DeclaredSettings = SPECIFIED_SETTINGS,
  channelTypes: ReadonlyMap<string, number> = new Map(),
) {
  const channels: ChannelsOfGuilds = {
    stateOf: async () => state,
    channel: async () => undefined,
    role: () => undefined,
    hasChannel: () => true,
    hasRole: () => true,
    known: () => [],
    membersNamed: async () => [],
    hasMember: async () => true,
  };
  const setting = settings.byField.get(name);
  if (setting === undefined) throw new Error(name);
  return parseSetting(setting, typed, { ...invocationIn(language), channels, channelTypes });
}

test('a typing mistake is offered as what it nearly is', async () => {
  await expect(parsed('language', 'Engish')).rejects.toThrow(/^Did you mean `English`\?\nThe language is one of these/);
  for (const typed of ['remindres', 'welcome, remindres'])
    await expect(parsed('enabledFeatures', typed)).rejects.toThrow(
      /^There is no feature `remindres`\.\nDid you mean `reminders`\?$/,
    );
  expect(await parsed('enabledFeatures', 'radio')).toEqual(['radio']);
});

const label = { 'en-US': 'Label' };
const DECLARED = new DeclaredSettings(
  defineSettings({
    settings: {
      rate: { kind: 'integer', min: 0, max: 100, default: 5, unit: '%', label },
      shift: { kind: 'integer', min: -9, max: 9, default: 0, label },
      pause: { kind: 'duration', min: 60, max: 5_400, default: 60, label },
      level: {
        kind: 'choice',
        choices: { off: { 'en-US': 'Nothing', ja: 'なし' }, all: label },
        default: 'off',
        label,
      },
      roles: { kind: 'role', many: { max: 2 }, label },
      words: { kind: 'text', max: 5, many: { max: 2 }, label },
      places: { kind: 'channel', many: { max: 2 }, label },
      log: { kind: 'channel', types: ['text'], label },
    },
  }),
);

describe('a typed value is parsed:', () => {
  test.each<[SettingName, string, Language, unknown]>([
    ['prefix', '?', 'en-US', '?'],
    ['prefix', 'hey bot ', 'en-US', 'hey bot '],
    ['prefix', 'none', 'en-US', ''],
    ['prefix', 'нет', 'ru', ''],
    ['announcement_channel', `<#${CHANNEL}>`, 'en-US', CHANNEL],
    ['announcement_channel', ` ${CHANNEL} `, 'en-US', CHANNEL],
    ['announcement_channel', 'ninguno', 'es-ES', ''],
    ['beta', 'On', 'en-US', true],
    ['beta', 'चालू', 'hi', true],
    ['beta', 'выкл', 'ru', false],
    ['language', 'ja', 'en-US', 'ja'],
    ['language', 'es', 'en-US', 'es-ES'],
    ['language', 'русский', 'en-US', 'ru'],
    ['language', 'ESPAÑOL', 'ja', 'es-ES'],
    ['language', '日本語', 'ru', 'ja'],
    ['enabledFeatures', 'напоминания, polls', 'ru', ['reminders', 'polls']],
    ['enabledFeatures', 'a, b、c，d\ne', 'ja', ['a', 'b', 'c', 'd', 'e']],
    ['enabledFeatures', 'none', 'hi', []],
  ])('%s "%s" in %s', async (name, typed, language, expected) => {
    expect(await parsed(name, typed, language)).toEqual(expected);
  });

  test.each<[SettingName, string, string]>([
    ['prefix', ' x', 'No space at the start'],
    ['prefix', 'a\nb', 'No line breaks'],
    ['prefix', 'a\u0007', 'No invisible control characters'],
    ['prefix', '!\u200d', 'No invisible characters (U+200D)'],
    ['prefix', 'x'.repeat(21), 'At most 20 characters'],
    ['announcement_channel', '#general', 'Enter a channel of this server'],
    ['beta', 'maybe', 'Enter `on` or `off`.'],
    ['beta', '__proto__', 'Enter `on` or `off`.'],
    ['language', 'Klingon', 'The language is one of these'],
    ['enabledFeatures', ' , ', 'Enter at most 64 names'],
    ['enabledFeatures', 'x'.repeat(65), 'Enter at most 64 names'],
    ['enabledFeatures', 'polls, remi\u2060nders', 'No invisible characters (U+2060)'],
  ])('but not %s %j', async (name, typed, expected) => {
    await expect(parsed(name, typed)).rejects.toThrow(expected);
  });

  test.each<[ChannelState, string]>([
    ['unknown', 'Enter a channel of this server'],
    ['unwritable', `I cannot write in <#${CHANNEL}>.`],
  ])('but not a channel that is %s', async (state, expected) => {
    await expect(parsed('announcement_channel', CHANNEL, 'en-US', state)).rejects.toThrow(expected);
  });

  test.each<[string, string, Language, unknown]>([
    ['rate', '7 %', 'en-US', 7],
    ['rate', '７％', 'ja', 7],
    ['shift', '\u22125', 'ru', -5],
    ['pause', '1h 30m', 'ja', 5_400],
    ['pause', '１ｈ　３０ｍ', 'ja', 5_400],
    ['level', 'なし', 'ja', 'off'],
    ['level', 'ALL', 'en-US', 'all'],
    ['roles', `<@&${CHANNEL}>`, 'en-US', [CHANNEL]],
    ['words', 'a b, c', 'en-US', ['a b', 'c']],
    ['places', `<#${CHANNEL}>`, 'en-US', [CHANNEL]],
  ])('that of a declared setting, %s "%s" in %s', async (name, typed, language, expected) => {
    expect(await parsed(`custom.${name}`, typed, language, 'writable', DECLARED)).toEqual(expected);
  });

  test.each<[string, string, string]>([
    ['rate', 'much', 'Enter a whole number from `0 %` to `100 %`.'],
    ['rate', '101', 'At most 100 %'],
    ['pause', 'soon', 'Enter a duration from `1 min` to `1 hr 30 min`, such as `1h 30m`.'],
    ['pause', '1s', 'At least 1 min'],
    ['level', 'some', 'Enter one of these: `off` (Nothing), `all` (Label).'],
    [
      'roles',
      'none of them',
      'Enter a role of this server, or `none`.\nSeparate several values with commas: at most 2',
    ],
    ['words', 'a,b,c', 'Separate several values with commas: at most 2, or `none`.'],
    ['words', 'too long', 'At most 5 characters'],
    ['places', `${CHANNEL}, here`, 'Enter a channel of this server'],
  ])('but not that of a declared setting, %s %j', async (name, typed, expected) => {
    await expect(parsed(`custom.${name}`, typed, 'en-US', 'writable', DECLARED)).rejects.toThrow(expected);
  });

  test.each<[type: number, expected: unknown]>([
    [0, CHANNEL],
    [2, `<#${CHANNEL}> is not of the right type. This setting takes: text channels.`],
  ])('but not a channel that Discord states to be of another type: %s', async (type, expected) => {
    const channelTypes = new Map([[CHANNEL, type]]);
    const value = parsed('custom.log', `<#${CHANNEL}>`, 'en-US', 'writable', DECLARED, channelTypes);
    expect(await value.catch((refusal: Refusal) => refusal.message)).toBe(expected);
  });

  test('whatever it is, it is one that the service takes, or is refused', async () => {
    const typed = fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.constantFrom('on', 'none', '0', 'a,b', 'toString', '\u0000', '\ud800', '!\u200b'),
    );
    const property = fc.asyncProperty(
      typed,
      fc.constantFrom(...(Object.keys(GuildSettings.shape) as SettingName[])),
      fc.constantFrom(...LANGUAGES),
      async (text, name, language) => {
        try {
          expect(GuildSettings.shape[name].safeParse(await parsed(name, text, language)).success).toBe(true);
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
        }
      },
    );
    // A failure prints its seed.
    await fc.assert(property, { numRuns: 1_000 });
  });
});
