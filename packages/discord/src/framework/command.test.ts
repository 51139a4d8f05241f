import { LANGUAGES, type Language } from '@guild-settings/contract';
import { DeclaredSettings, defineSettings, type Setting } from '@guild-settings/contract/settings';
import { COMMANDS, invocationIn, type Services, translatorOf } from '@guild-settings/testing/bot';
import { expect, test } from 'vitest';
import type { ChannelsOfGuilds } from '../discord/channels.ts';
import type { CommandPath } from '../i18n/translator.ts';
import { type Action, offered, suggestedValues } from './command.ts';
import { checkOptions } from './options.ts';

const label = (text: string) => Object.fromEntries(LANGUAGES.map((language) => [language, `${text} ${language}`]));
const CHANNEL = '1300000000000000001';

const DECLARED = new DeclaredSettings(
  defineSettings({
    groups: { welcome: { label: label('Welcome') }, goodbye: { label: label('Goodbye') } },
    features: { music: { label: label('Music and more') }, 'two words': { label: label('Polls') } },
    settings: {
      hello: { kind: 'text', max: 200, default: 'Hi (default)', group: 'welcome', label: label('Message') },
      bye: { kind: 'text', max: 200, group: 'goodbye', label: label('Message') },
      loglevel: { kind: 'integer', min: 0, max: 5_000, default: 1_000, unit: '%', label: label('Rate') },
      logLevel: { kind: 'duration', min: 0, max: 86_400, default: 60, label: label('Cooldown') },
      level: {
        kind: 'choice',
        choices: { off: label('Off'), all: label('Everything'), ano: { 'en-US': 'año' }, año: { 'en-US': 'off' } },
        default: 'off',
        label: label('Level'),
      },
      events: {
        kind: 'choice',
        choices: { joins: label('Joins'), 'voice chat': label('Voice, and chat') },
        default: ['joins'],
        many: { max: 2 },
        label: label('Events'),
      },
      words: { kind: 'text', max: 90, many: { max: 9 }, default: ['papa', 'papá'], label: label('Words') },
      roles: { kind: 'role', many: { max: 5 }, label: label('Roles') },
      on: { kind: 'switch', setBy: 'application', label: label('Premium') },
    },
  }),
);

const settings = {
  enabledFeatures: ['two words', 'other'],
  prefix: '?',
  beta: true,
  custom: {
    hello: 'Hello, {user}! This is a text that is longer than what a suggestion shows.',
    bye: 'none of it',
    loglevel: 1_234,
    logLevel: 5_400,
    level: 'año',
    events: ['voice chat', 'joins'],
    words: ['a b', 'c'],
    roles: ['1200000000000000001', '1200000000000000002', '1200000000000000003'],
    on: true,
  },
};

const channels = {
  known(kind, _guildId, _userId, id) {
    const ids = kind === 'channel' ? [CHANNEL] : kind === 'role' ? ['1200000000000000001', '1200000000000000002'] : [];
    const things = ids.map((value) => ({
      value,
      names: kind === 'channel' ? ['#general'] : ['@Helpers'],
      mention: value,
    }));
    return things.filter(({ value }) => id === undefined || id === value);
  },
} as Partial<ChannelsOfGuilds> as ChannelsOfGuilds;
const services = { channels, clock: () => 0 } as Services;

const ACTIONS = COMMANDS.flatMap(({ name, action, subcommands = {} }) => [
  ...(action ? [{ path: [name] as CommandPath, action }] : []),
  ...Object.entries(subcommands).map(([sub, one]) => ({ path: [name, sub] as CommandPath, action: one })),
]).flatMap(({ path, action }) =>
  Object.keys(action.options)
    .filter((option) => action.suggest(option) !== undefined)
    .map((option) => ({ title: [...path, option].join(' '), path, action, option })),
);

function offeredIn(
  language: Language,
  action: Action<Services>,
  option: string,
  values: Readonly<Record<string, string>>,
) {
  const translator = translatorOf({ language }, DECLARED);
  const usual = invocationIn(language);
  const invocation = {
    ...usual,
    translator,
    settings: { ...usual.settings, ...settings, announcement_channel: CHANNEL },
  };
  const suggested = action.suggest(option)?.({ invocation, translator, values, services, typed: '' });
  return { invocation, suggestions: offered(suggested ?? []) };
}

test.each(LANGUAGES.flatMap((language) => ACTIONS.map((action) => ({ language, ...action }))))(
  'in $language, the text of each suggestion of $title means its value, and so does the value',
  ({ language, path, action, option }) => {
    const first = Object.keys(action.options)[0] ?? '';
    const fields = first === option ? [''] : [...DECLARED.byField.keys()];
    let count = 0;
    for (const field of fields) {
      const given = field === '' ? {} : { [first]: field };
      const { invocation, suggestions } = offeredIn(language, action, option, given);
      for (const { name, value } of suggestions) {
        const checked = [name, value].map((typed) => {
          const values = suggestedValues(action, { ...given, [option]: typed }, { invocation, services });
          return checkOptions({ [option]: action.options[option] as never }, path, values, invocation)[option];
        });
        const [byName, byValue] = checked.map((one) => (one as Setting).field ?? one);
        expect([byName, byValue], `${field} ${name}`).toEqual([value, value]);
        count += 1;
      }
    }
    expect(count).toBeGreaterThan(0);
  },
);
