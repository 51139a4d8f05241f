import type { GuildSettings, Language } from '@guild-settings/contract';
import type { SlashUse, SlashValues } from '@guild-settings/discord-sim';
import { CHANNEL, connectedBot, GUILD, MEMBER, OWNER, translatorOf } from '@guild-settings/testing/bot';
import Database from 'better-sqlite3';
import { PermissionFlagsBits } from 'discord.js';
import { expect, test } from 'vitest';
import { type ButtonId, formatButtonId, parseButtonId } from './interactions.ts';

const containing = (text: string): string => expect.stringContaining(text);

/** A connected bot in a guild with these settings. */
async function slashes(settings: Partial<GuildSettings> = {}) {
  const there = await connectedBot({ settings });
  const { discord } = there;
  return {
    ...there,
    use: (command: string, values: SlashValues = {}, userId: string = MEMBER.id, client: SlashUse = {}) =>
      discord.people.slash(userId, CHANNEL.id, command, values, client).reply(),
  };
}

test('replies are in the language of the guild, and refusals are shown to the user only', async () => {
  await using there = await slashes({ language: 'es-ES' });
  expect(await there.use('ping')).toMatchObject({ content: expect.stringMatching(/^¡Pong! /), ephemeral: false });
  expect(await there.use('remind add', { when: 'in 10m', text: 't' })).toMatchObject({
    content: containing('Aquí la función «Recordatorios» está desactivada.'),
    ephemeral: true,
  });
  expect(await there.use('help', { command: 'ajustes' })).toMatchObject({
    content: containing('`/ajustes`'),
  });
});

test('what the user alone sees is in the language of their client, where the bot has it', async () => {
  await using there = await slashes({ language: 'ja', enabledFeatures: ['reminders'] });
  const replyIn = async (locale: SlashUse['locale'] & string, command: string) =>
    (await there.use(command, {}, OWNER.id, { locale })).content;
  expect(await replyIn('es-419', 'settings show')).toContain('**Ajustes de este servidor**');
  expect(await replyIn('ru', 'settings show')).toContain('**Настройки этого сервера**');
  expect(await replyIn('fr', 'settings show')).toContain('**このサーバーの設定**');
  expect(await replyIn('es-419', 'ping')).toMatch(/^ポン！/);
});

test('reminders are added, listed to their owner alone, and cancelled', async () => {
  await using there = await slashes({ enabledFeatures: ['reminders'] });
  const values = { when: 'tomorrow at 9:00', text: 'tea & cake', timezone: 'Europe/Berlin' };
  expect(await there.use('remind add', values)).toMatchObject({
    content: expect.stringMatching(/^#1: I will remind you in /),
  });
  expect(await there.use('remind list')).toMatchObject({
    content: containing('tea & cake'),
    ephemeral: true,
  });
  expect(await there.use('remind list', {}, OWNER.id)).toMatchObject({
    content: 'You have no reminders on this server.',
  });
  expect(await there.use('remind cancel', { number: 2 })).toMatchObject({ ephemeral: true });
  expect(await there.use('remind cancel', { number: 1 })).toMatchObject({ content: 'Reminder #1 is cancelled.' });
  expect(await there.use('remind add', { when: 'in 10m', text: 't', timezone: 'IST' })).toMatchObject({
    content: containing('Could be `Asia/Kolkata`, `Asia/Jerusalem`, or `Europe/Dublin`'),
  });
});

test('a time zone is read as it is called and printed, and suggested with its name and the time there', async () => {
  await using there = await slashes({ enabledFeatures: ['reminders'] });
  const { people } = there.discord;
  for (const timezone of [
    'berlin',
    'Берлин',
    'Europe/Berlin · Germany Time · 18:05',
    'America/New York',
    'GMT+5:30',
    'GMT+2',
  ]) {
    const { content } = await there.use('remind add', { when: 'tomorrow 9:00', text: 'tea', timezone });
    expect(content, timezone).toMatch(/9:00 AM GMT/);
  }
  expect(await there.use('remind add', { when: '1M', text: 't' })).toMatchObject({
    content: containing('Could be `1m` or `30d`'),
  });
  const typed = (timezone: string, locale: Language) =>
    people.type(MEMBER.id, CHANNEL.id, 'remind add', { timezone }, 'timezone', { locale }).suggestions();
  const [first] = await typed('new y', 'ru');
  expect(first).toEqual({
    name: expect.stringMatching(/^America\/New_York · Нью-Йорк · \d\d:\d\d$/),
    value: 'America/New_York',
  });
  expect((await typed('ist', 'en-US')).map(({ value }) => value).slice(0, 3)).toEqual([
    ...['Asia/Kolkata', 'Asia/Jerusalem', 'Europe/Dublin'],
  ]);
  expect(await typed('', 'ja')).toHaveLength(25);
});

test.each<[Language, typed: string, expected: string]>([
  ['en-US', '90m', 'in 1 hour 30 minutes'],
  ['en-US', 'in 1 week 25 hours 61 seconds', 'in 8 days 1 hour 1 minute 1 second'],
  ['ru', 'через 90 минут', 'через 1 час 30 минут'],
  ['es-ES', 'en 90 minutos', 'dentro de 1 hora 30 minutos'],
  ['ja', '90分後', '1 時間 30 分後'],
  ['hi', '90 मिनट में', '1 घंटे 30 मिनट में'],
])('in %s, a reminder "%s" is confirmed %s', async (language, typed, expected) => {
  await using there = await slashes({ language, beta: true, enabledFeatures: ['reminders'] });
  const { content } = await there.use('remind add', { when: typed, text: 'tea' });
  expect(content).toContain(expected);
  const every = await there.use('remind every', { interval: '90m', text: 'tea' });
  expect(every.content).toContain(translatorOf({ language }).relative(90 * 60_000));
});

test('a manager cancels any user’s reminder, a member only their own, and adds none where they may not write', async () => {
  await using there = await slashes({ enabledFeatures: ['reminders'] });
  await there.use('remind add', { when: 'in 10m', text: 'theirs' });
  await there.use('remind add', { when: 'in 10m', text: 'the owner’s' }, OWNER.id);
  const { world } = there.discord;
  // A channel overwrite does not make a member a manager of the guild.
  for (const overwrites of [{}, { [MEMBER.id]: { allow: PermissionFlagsBits.ManageGuild } }]) {
    world.setChannelPermissions(CHANNEL.id, overwrites);
    expect(await there.use('remind cancel', { number: 2 })).toMatchObject({ ephemeral: true });
  }
  for (const number of [1, 2]) {
    expect(await there.use('remind cancel', { number }, OWNER.id)).toMatchObject({
      content: `Reminder #${number} is cancelled.`,
    });
  }
  world.setChannelPermissions(CHANNEL.id, { [MEMBER.id]: { deny: PermissionFlagsBits.SendMessages } });
  expect(await there.use('remind add', { when: 'in 10m', text: 'x' })).toMatchObject({
    content: `You cannot write in <#${CHANNEL.id}> yourself.`,
    ephemeral: true,
  });
});

test('Discord decides who uses a slash command, while permission overwrites of a channel make no user a manager', async () => {
  await using there = await slashes();
  const { people, world } = there.discord;
  for (const overwrites of [{}, { [MEMBER.id]: { allow: PermissionFlagsBits.ManageGuild } }]) {
    world.setChannelPermissions(CHANNEL.id, overwrites);
    expect(() => people.slash(MEMBER.id, CHANNEL.id, 'settings show')).toThrow('not shown');
  }
  world.setCommandPermissions(GUILD.id, { command: 'settings' }, [{ id: MEMBER.id, type: 2, permission: true }]);
  expect(await there.use('settings show')).toMatchObject({ content: containing('**Settings of this server**') });
});

test('a reply that takes long is deferred, and is sent', async () => {
  await using there = await slashes({ announcement_channel: '1300000000000000009' });
  there.discord.faults.set({ kind: 'latency', ms: 2_000 }, { path: '/channels/1300000000000000009' });
  const slash = there.discord.people.slash(OWNER.id, CHANNEL.id, 'announce', { text: 'hello' });
  expect(await slash.reply()).toMatchObject({
    content: containing('The channel for announcements, <#1300000000000000009>, is not a channel of this server'),
  });
  // A deferred reply.
  expect(slash.responseType).toBe(5);
});

test('an announcement is posted, notifies whom its author could notify, and is written in a form where it was blank', async () => {
  await using there = await slashes({ announcement_channel: CHANNEL.id });
  const { people } = there.discord;
  const opened = people.slash(OWNER.id, CHANNEL.id, 'announce', { text: ' ' });
  expect((await opened.modal()).title).toBe('New announcement');
  expect(await there.use('announce', { text: '@everyone tea' }, OWNER.id)).toMatchObject({
    content: `Posted in <#${CHANNEL.id}>.`,
  });
  const announced = there.discord.messages.in(CHANNEL.id).find(({ content }) => content === '@everyone tea');
  expect(announced?.allowedMentions).toEqual({ parse: ['everyone', 'roles', 'users'] });
});

test('a command that fails replies with the reference in the log, and the bot continues', async () => {
  await using there = await slashes({ enabledFeatures: ['reminders'] });
  const other = new Database(there.bot.path);
  other.exec('BEGIN IMMEDIATE');
  const { content, ephemeral } = await there.use('remind add', { when: '10m', text: 'tea' });
  other.close();
  const reference = / logged as ([0-9a-f]{8})\.$/.exec(content)?.[1];
  expect(ephemeral).toBe(true);
  expect(there.bot.log.filter((line) => line.reference === reference && line.level === 50)).toHaveLength(1);
  expect((await there.use('remind add', { when: '10m', text: 'tea' })).content).toMatch(/^#1: /);
});

test('a change is refused, and nothing changed, while the settings service cannot be reached', async () => {
  await using there = await slashes();
  const reply = await there.use('settings set', { setting: 'prefix', value: '?' }, OWNER.id);
  expect(reply).toMatchObject({
    content: 'The settings service cannot be reached. Nothing was changed. Please try again later.',
  });
});

const id: Omit<ButtonId, 'subcommand' | 'name' | 'values'> = {
  command: 'settings',
  replyId: '18446744073709551615',
};
const REVISION = String(Number.MAX_SAFE_INTEGER);

test.each<ButtonId>([
  { ...id, subcommand: 'history', name: 'older', values: [REVISION, 'announcement_channel'] },
  { ...id, subcommand: 'undo', name: 'confirm', values: [REVISION, REVISION] },
  { ...id, subcommand: 'undo', name: 'cancel', values: [] },
])('the longest custom id of $subcommand $name is short enough for Discord, and is parsed', (longest) => {
  const customId = formatButtonId(longest);
  // Discord's limit.
  expect([...customId].length).toBeLessThanOrEqual(100);
  expect(parseButtonId(customId)).toEqual(longest);
});

test.each(['', 'yes', 'a|b|c|d|e', `settings|undo|confirm|someone`, '|||||||||'])(
  'the custom id %j of another program is not one of the bot',
  (customId) => {
    expect(parseButtonId(customId)).toBeUndefined();
  },
);
