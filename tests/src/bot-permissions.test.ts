import type { DiscordSim, SlashValues } from '@guild-settings/discord-sim';
import { BOT, GUILDS, PEOPLE, tokenOf } from '@guild-settings/discord-sim/testing/world';
import { printedSeed, waitUntil } from '@guild-settings/testing';
import { PermissionFlagsBits } from 'discord.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { talkToBot } from './testing/conversation.ts';
import { startBotSandbox } from './testing/test-sandbox.ts';

const { manager, member, owner } = PEOPLE;
const [{ id: guild, channels }, other] = GUILDS;
const { Administrator, ManageChannels, ManageRoles, ManageMessages, SendMessages } = PermissionFlagsBits;

const ATTEMPTS = [
  'settings show',
  'settings set prefix ?',
  'settings set channel none',
  `settings set channel <#${channels.announcements}>`,
  'settings set beta on',
  'settings set language ru',
  'settings set features reminders',
  'settings set prefix',
  'settings add features polls',
  'settings remove features polls',
  'settings enable polls',
  'settings disable polls',
  'settings reset all',
  'settings reset prefix',
  'settings history',
  'settings undo',
  'settings undo 1',
  'announce hello',
  'SETTINGS SET beta on',
  'настройки изменить бета вкл',
  'settings  set   "beta"   "on"',
];

function answers({ messages }: DiscordSim): number {
  return messages.in(channels.general).filter(({ authorId }) => authorId === BOT.userId).length;
}

/** Returns the bytes of a guild's record and its entity tag. */
async function recordOf(apiUrl: string): Promise<string> {
  const response = await fetch(`${apiUrl}/guilds/${guild}`, {
    headers: { authorization: `Bearer ${tokenOf('application')}` },
  });
  return `${response.headers.get('etag')} ${await response.text()}`;
}

test('a member without Manage Guild changes nothing by any command in a message, and is offered no slash command for it', async () => {
  await using sandbox = await startBotSandbox();
  const { discord, apiUrl } = sandbox;
  const before = await recordOf(apiUrl);
  const { send } = talkToBot(discord, member.id, channels.general);
  for (const attempt of ATTEMPTS) {
    // The guild's language has no command with the Russian name, so only the mention triggers it.
    if (!attempt.startsWith('настройки')) expect(await send(`!${attempt}`)).toContain('Manage Server');
    await send(`<@${BOT.userId}> ${attempt}`);
  }
  const commands: [string, SlashValues][] = [
    ['settings show', {}],
    ['settings set', { setting: 'prefix', value: '?' }],
    ['settings set', { setting: 'announcement_channel', value: channels.general }],
    ['settings set', { setting: 'beta', value: 'on' }],
    ['settings set', { setting: 'language', value: 'ru' }],
    ['settings set', { setting: 'enabledFeatures', value: 'reminders' }],
    ['settings add', { setting: 'enabledFeatures', item: 'polls' }],
    ['settings remove', { setting: 'enabledFeatures', item: 'polls' }],
    ['settings enable', { feature: 'polls' }],
    ['settings disable', { feature: 'polls' }],
    ['settings reset', { setting: 'all' }],
    ['settings history', {}],
    ['settings undo', { change: 1 }],
    ['announce', { text: 'hello' }],
  ];
  for (const [command, values] of commands) {
    expect(() => discord.people.slash(member.id, channels.general, command, values)).toThrow('not shown');
  }
  expect(await recordOf(apiUrl)).toBe(before);
  expect(discord.messages.in(channels.announcements)).toStrictEqual([]);
});

test('random messages of a member leave the record unchanged to the byte', async () => {
  await using sandbox = await startBotSandbox();
  const { discord, apiUrl } = sandbox;
  const before = await recordOf(apiUrl);
  const seed = printedSeed('bot-permissions');
  const word = fc.oneof(
    fc.constantFrom('settings', 'set', 'reset', 'beta', 'on', 'prefix', '?', 'all', 'language', 'ru', '"', '--', '!'),
    fc.string({ unit: 'grapheme', maxLength: 8 }),
  );
  const line = fc.array(word, { maxLength: 6 }).map((words) => words.join(' '));
  for (const text of fc.sample(line, { seed, numRuns: 100 })) {
    discord.people.sendMessage(member.id, channels.general, `!${text}`);
    discord.people.sendMessage(member.id, channels.general, `<@${BOT.userId}> settings set ${text}`);
  }
  // Messages are handled in order: after this reply, the earlier ones have been handled.
  await talkToBot(discord, member.id, channels.general).send('!ping');
  await waitUntil(() => answers(discord) > 100, { message: 'all mentions to be answered' });
  expect(await recordOf(apiUrl)).toBe(before);
});

test('other permissions than Manage Guild are not enough, and a removed permission counts at once', async () => {
  await using sandbox = await startBotSandbox();
  const { discord, apiUrl } = sandbox;
  const { world } = discord;
  world.setPermissions(guild, member.id, SendMessages | ManageChannels | ManageRoles | ManageMessages);
  const before = await recordOf(apiUrl);
  expect(await talkToBot(discord, member.id, channels.general).send('!settings set beta on')).toContain(
    'Manage Server',
  );
  world.setPermissions(guild, manager.id, SendMessages);
  expect(await talkToBot(discord, manager.id, channels.general).send('!settings set beta on')).toContain(
    'Manage Server',
  );
  expect(await recordOf(apiUrl)).toBe(before);
});

test('a manager of one guild has no permission in another', async () => {
  await using sandbox = await startBotSandbox();
  const { discord, apiUrl } = sandbox;
  const before = await recordOf(apiUrl);
  discord.world.setPermissions(guild, manager.id, SendMessages);
  await talkToBot(discord, manager.id, channels.general).send('!settings set beta on');
  const there = talkToBot(discord, manager.id, other?.channels.general ?? '');
  expect(await there.send('!settings set beta on')).toContain('off → on');
  expect(await recordOf(apiUrl)).toBe(before);
});

test('managers, administrators and the owner may change settings, and the change log has them as actors', async () => {
  await using sandbox = await startBotSandbox();
  const { discord } = sandbox;
  discord.world.setPermissions(guild, member.id, SendMessages | Administrator);
  for (const [index, { id }] of [manager, member, owner].entries()) {
    const answer = await talkToBot(discord, id, channels.general).send(
      `!settings set beta ${index % 2 ? 'off' : 'on'}`,
    );
    expect(answer).toContain('→');
  }
  const made = sandbox.changes().filter(({ origin }) => origin === 'bot');
  expect(made).toMatchObject(
    [manager, member, owner].map(({ id }) => ({
      guild_id: guild,
      actor_kind: 'user',
      actor_id: id,
      reason: null,
    })),
  );
});
