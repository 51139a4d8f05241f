import { LANGUAGES } from '@guild-settings/contract';
import { afterAll, expect, test } from 'vitest';
import { isFilledIn, localeTexts } from './testing/locale-texts.ts';
import { buttonsOf, startSettingsDesk } from './testing/settings-desk.ts';

const GUILDS_IN = ['en-US', 'ja'] as const;

/** Texts about the arrival of a change, which depends on the machine. */
const ARRIVAL = LANGUAGES.flatMap((language) =>
  ['shared.live', 'settings.notLive'].flatMap((key) => localeTexts(language).get(key) ?? []),
);

/** Texts that are typed for each setting, valid and invalid; `language` is last, because it changes the replies. */
const TYPED = {
  prefix: [
    '?',
    '?',
    '`a`',
    '/',
    'hey bot ',
    '{{t}}',
    'None',
    'なし',
    '@everyone',
    ' x',
    'x'.repeat(21),
    'a\u0007',
    '!\u200d',
  ],
  announcement_channel: [
    'CHANNEL',
    '<#CHANNEL>',
    '<#1>',
    '#general',
    '300000000000099999',
    'news',
    'none',
    'なし',
    '<#CHANNEL>',
  ],
  beta: ['On', 'true', 'off', 'FALSE', 'オン', 'オフ', 'maybe', '1', 'on'],
  enabledFeatures: [
    ...['reminders', 'リマインダー, b、`c`', 'b b', 'none', ' , ', 'x'.repeat(65), 'a,re\u2060minders'],
    Array.from({ length: 12 }, (_, index) => `f${index}`).join(' '),
    Array.from({ length: 65 }, (_, index) => `f${index}`).join(' '),
  ],
  language: ['Klingon', '', 'español', 'EN', '英語', 'ja', '日本語', 'English', 'русский'],
} as const;

const desk = await startSettingsDesk(GUILDS_IN.length);
afterAll(() => desk[Symbol.asyncDispose]());

test.each(GUILDS_IN)(
  'in %s, what the bot says about settings is word for word as it was recorded',
  async (language) => {
    const guild = desk.nextGuild();
    const lines: string[] = [];
    /** Uses a command when the bot has every change, and records the reply without parts that differ between runs. */
    const ask = async (command: string, values: Record<string, string> = {}) => {
      await desk.change(guild, {});
      const message = await desk.slash(guild, command, values, { locale: language });
      const content = message.content
        .replaceAll(guild.channel, 'CHANNEL')
        .replaceAll(/<t:\d+:R>/g, 'TIME')
        .replaceAll(/#\d+/g, '#N')
        .split('\n');
      const title = [command, ...Object.entries(values).map((pair) => pair.join(':'))].join(' ');
      lines.push(
        `# ${title}`.replaceAll(/\p{C}/gu, encodeURIComponent),
        ...content.filter((line) => !ARRIVAL.some((text) => isFilledIn(text, line))),
      );
      lines.push(...[...buttonsOf(message).keys()].map((label) => `[${label}]`), '');
    };

    await desk.change(guild, { language });
    await ask('settings show');
    for (const [setting, values] of Object.entries(TYPED)) {
      for (const value of values) {
        await ask('settings set', { setting, value: value.replace('CHANNEL', guild.channel) });
        if (setting === 'language') await desk.change(guild, { language });
      }
      await ask('settings show');
      await ask('settings history', { setting });
      await ask('settings reset', { setting });
      await ask('settings reset', { setting });
      if (setting === 'language') await desk.change(guild, { language });
    }
    await desk.change(guild, { prefix: '?', announcement_channel: 'news', beta: true, enabledFeatures: ['reminders'] });
    await ask('settings show');
    await ask('settings reset', { setting: 'all' });
    await desk.change(guild, { language });
    await ask('settings history');
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(`golden/bot-replies.${language}.txt`);
  },
);
