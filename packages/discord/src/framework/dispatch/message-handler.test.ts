import { LANGUAGES, type RecordSettings } from '@guild-settings/contract';
import type { DiscordSim } from '@guild-settings/discord-sim';
import { anyCharacter } from '@guild-settings/testing/any-character';
import {
  BOT_ID,
  CHANNEL,
  COMMANDS,
  connectedBot,
  GUILD,
  invocationIn,
  MEMBER,
  OWNER,
  translatorOf,
  VOCABULARY,
} from '@guild-settings/testing/bot';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Refusal } from '../../i18n/text.ts';
import type { CommandPath } from '../../i18n/translator.ts';
import { checkOptions } from '../options.ts';
import { readMessageOptions, splitWords } from './message-text.ts';

const MENTION = `<@${BOT_ID}>`;

/** A connected bot in a guild with these settings. */
async function talk(settings: Partial<RecordSettings> = {}) {
  const there = await connectedBot({ settings });
  const { discord } = there;
  return {
    ...there,
    async ask(content: string, userId: string = MEMBER.id): Promise<string> {
      const { id } = discord.people.sendMessage(userId, CHANNEL.id, content);
      return (await discord.messages.waitFor(({ replyTo }) => replyTo === id)).content;
    },
    /** Returns the replies to messages, after the bot has replied to a later message. */
    async repliesTo(messages: readonly string[], userId: string = MEMBER.id): Promise<(string | undefined)[]> {
      const sent = messages.map((content) => discord.people.sendMessage(userId, CHANNEL.id, content));
      await this.ask(`${MENTION} ping`);
      return sent.map(({ id }) => replyToMessage(discord, id));
    },
  };
}

function replyToMessage({ messages }: DiscordSim, id: string): string | undefined {
  return messages.all().find(({ replyTo }) => replyTo === id)?.content;
}

test('a command is used by the prefix or a mention, in any case, with any white space', async () => {
  await using there = await talk();
  const mentions = [`${MENTION} ping`, `${MENTION}ping`, `<@!${BOT_ID}>\nPing`];
  for (const content of ['!PING', '! ping', '!ping\n', ...mentions])
    expect(await there.ask(content)).toMatch(/^Pong! /);
});

test('messages to others get no reply', async () => {
  await using there = await talk();
  const others = [`say ${MENTION} ping`, '<@1100000000000000008> ping'];
  const messages = ['ping', '!', '!!', '!unknown', ' !ping', 'a !ping', '!constructor', '!__proto__', ...others];
  expect(await there.repliesTo(messages)).toEqual(messages.map(() => undefined));
});

test('a mention without a command gets a reply with the prefix', async () => {
  await using there = await talk({ prefix: '`x' });
  expect(await there.ask(MENTION)).toBe('My prefix here is `` `x``. `@Melody help` lists my commands.');
  expect(await there.ask(`${MENTION} constructor`)).toContain('My prefix here is');
});

test('a prefix is typed as phones and other keyboards write it, and shown as it is stored', async () => {
  await using there = await talk({ prefix: 'Hey…！' });
  for (const content of ['hey...!ping', 'HEY…!ping', 'Hey…！ping']) expect(await there.ask(content)).toMatch(/^Pong! /);
  expect(await there.ask('hey...!help ping')).toContain('`Hey…！ping`');
});

test('quotation marks of phones are those of a prefix and of a phrase', async () => {
  await using there = await talk({ prefix: "'", enabledFeatures: ['reminders'] });
  for (const content of ['’ping', '‘ping', "'ping"]) expect(await there.ask(content)).toMatch(/^Pong! /);
  for (const typed of ["'in 1 hour'", '‘in 1 hour’', '„in 1 hour“'])
    expect(await there.ask(`’remind add ${typed} it’s the dogs' day`)).toContain('I will remind you in 1 hour ');
  expect(await there.ask("'remind list")).toContain("`it’s the dogs' day`");
});

test('the settings are shown where no subcommand is named', async () => {
  await using there = await talk({ language: 'ru' });
  for (const content of ['!settings', '!настройки ', `${MENTION} settings`])
    expect(await there.ask(content, OWNER.id)).toContain('**Настройки этого сервера**');
  expect(await there.ask('!settings')).toContain('Это доступно только');
});

test('without a prefix a mention works, and nothing else', async () => {
  await using there = await talk({ prefix: '' });
  expect(await there.repliesTo(['!ping', 'ping', ''])).toEqual([undefined, undefined, undefined]);
  expect(await there.ask(`${MENTION} help`)).toContain('(slash commands, or after');
  expect(await there.ask(MENTION)).toContain('Prefix commands are switched off here.');
});

test('messages of bots get no reply, its own neither', async () => {
  await using there = await talk();
  const { world } = there.discord;
  world.addUser({ id: '1200000000000000009', username: 'robot', bot: true });
  world.addMember(GUILD.id, '1200000000000000009', { permissions: 0n });
  expect(await there.repliesTo(['!ping'], '1200000000000000009')).toEqual([undefined]);
  expect(await there.repliesTo(['!ping', `${MENTION} ping`], BOT_ID)).toEqual([undefined, undefined]);
});

test('a command and its options have their names in the language of the guild and in English', async () => {
  await using there = await talk({ language: 'ru', enabledFeatures: ['reminders'] });
  expect(await there.ask('!ПОМОЩЬ')).toContain('Команды');
  expect(await there.ask('!help ping')).toContain('`!пинг`');
  expect(await there.ask('!напоминание добавить через 10 минут чай --пояс=Europe/Moscow')).toMatch(
    /^#1: напомню через 10 минут/,
  );
  expect(await there.ask('!remind list')).toContain('`чай`');
  expect(await there.ask('!remind')).toBe(
    'После `!напоминание` нужно одно из этих слов: `добавить`, `повторять`, `список`, `отменить`.',
  );
});

test('names that every object has are no commands, subcommands or settings', async () => {
  await using there = await talk({ enabledFeatures: ['reminders'] });
  expect(await there.ask('!settings __proto__', OWNER.id)).toContain('Add one of these after');
  expect(await there.ask('!remind constructor')).toContain('Add one of these after');
  expect(await there.ask('!settings set toString x', OWNER.id)).toContain('There is no setting `toString`.');
  expect(await there.ask('!settings shwo', OWNER.id)).toMatch(/\nDid you mean `show`\?$/);
  expect(await there.ask('!help hasOwnProperty')).toBe('There is no command `hasOwnProperty`. `!help` lists them all.');
});

test('a member whom the bot has forgotten is as welcome as others', async () => {
  await using there = await talk();
  const { world, people } = there.discord;
  // More than the bot remembers.
  for (let index = 0; index < 220; index++) {
    const id = `120000000000001${String(index).padStart(4, '0')}`;
    world.addUser({ id, username: `u${index}` });
    world.addMember(GUILD.id, id, { permissions: 0n });
    people.sendMessage(id, CHANNEL.id, 'hello');
  }
  expect(await there.ask('!settings show', OWNER.id)).toContain('**Settings of this server**');
  expect(await there.ask('!settings show', '1200000000000010000')).toContain('Only members with the permission');
});

test('messages of 2,000 and of 4,000 characters get a reply that is not too long for Discord', async () => {
  await using there = await talk();
  for (const length of [2_000, 4_000]) {
    for (const letter of ['a', '🍵', 'a ', '\n-', '`', '"']) {
      const reply = await there.ask(`!ping ${letter.repeat(length)}`.slice(0, length));
      expect([...reply].length).toBeLessThanOrEqual(2_000);
      // A character must not be cut in half.
      expect(reply).not.toMatch(/\p{Surrogate}/u);
    }
  }
  expect(await there.ask(`!ping ${'🍵'.repeat(1_990)}`)).toMatch(/^Leave out `🍵+…$/u);
  expect(await there.ask(`!ping ${'word '.repeat(500)}`)).toMatch(/ word…$/);
});

test('text of users is never taken for a text of the bot, and notifies no user', async () => {
  await using there = await talk({ prefix: '{{mention}}$&' });
  expect(await there.ask(MENTION)).toContain('My prefix here is `{{mention}}$&`.');
  const text = '{{help}} $t(ping.pong) $& $1 @everyone <@&1> <@1200000000000000001>';
  expect(await there.ask(`${MENTION} ping ${text}`)).toContain(`Leave out \`${text}\`, or put`);
  const [{ allowedMentions } = {}] = there.discord.messages.all().filter(({ authorId }) => authorId === BOT_ID);
  expect(allowedMentions).toMatchObject({ parse: [] });
});

test.each([
  ['fr', '`French`'],
  ['klingon!', '`klingon!`'],
])(
  'in the language %s of a newer service the bot replies in English, and shows the language as %s',
  async (language, shown) => {
    await using there = await talk({ language });
    expect(await there.ask('!ping')).toMatch(/^Pong! /);
    expect(await there.ask('!settings show', OWNER.id)).toContain(shown);
  },
);

const ACTIONS = COMMANDS.flatMap(({ name, action, subcommands = {} }) =>
  action
    ? [{ path: [name] as CommandPath, action }]
    : Object.entries(subcommands).map(([sub, found]) => ({ path: [name, sub] as CommandPath, action: found })),
);

test.each(LANGUAGES)('whatever follows a command in %s is read or refused, never an error', (language) => {
  const invocation = invocationIn(language);
  const names = ACTIONS.flatMap(({ path }) =>
    Object.values(VOCABULARY.commandTexts(language, path).options ?? {}).map(({ name }) => name),
  );
  const marks = ['--', '—', '=', '"', '“', '„', '「', ' ', '\n', '10m', '18:00', '#', '7', '__proto__', '🍵'];
  const piece = fc.constantFrom(...marks, ...names);
  const text = fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 4_000 }),
    fc.array(piece, { maxLength: 40 }).map((parts) => parts.join('')),
  );
  const property = fc.property(text, fc.constantFrom(...ACTIONS), (typed, { path, action }) => {
    const words = splitWords(typed);
    const { values, extra } = readMessageOptions(action.options, path, words, translatorOf({ language }));
    expect(extra.length).toBeLessThanOrEqual(words.length);
    try {
      const checked = checkOptions(action.options, path, values, invocation);
      expect(Object.keys(checked)).toEqual(Object.keys(action.options));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
  });
  // A failure prints its seed.
  fc.assert(property, { numRuns: 500 });
});
