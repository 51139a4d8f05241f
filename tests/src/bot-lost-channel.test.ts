import { defineSettings } from '@guild-settings/contract/settings';
import { PEOPLE } from '@guild-settings/discord-sim/testing/world';
import { waitUntil } from '@guild-settings/testing';
import { PermissionFlagsBits } from 'discord.js';
import { afterAll, expect, test } from 'vitest';
import { startSettingsDesk } from './testing/settings-desk.ts';

const { manager, member } = PEOPLE;
const label = { 'en-US': 'Log of moderators' };
const declaration = defineSettings({ settings: { modLog: { kind: 'channel', label } } });
const desk = await startSettingsDesk(3, { declaration });
afterAll(() => desk[Symbol.asyncDispose]());
const { world } = desk.discord;

const told = (userId: string, count: number) =>
  waitUntil(() => world.direct.to(userId).length === count, { message: 'a direct message' });

/** Adds a channel that a guild's settings name, as a user has set it. */
async function nameChannel(
  guild: Awaited<ReturnType<typeof desk.nextGuild>>,
  field: 'announcement_channel' | 'modLog',
  user: { readonly id: string } = manager,
) {
  const id = guild.channel.replace(/^3/, field === 'modLog' ? '4' : '5');
  world.addChannel({ id, guildId: guild.id, name: 'news' });
  await desk.change(guild, field === 'modLog' ? { custom: { modLog: id } } : { announcement_channel: id }, user);
  return id;
}

test('a lost channel is said to the manager who set it last, where the server has no channel for it', async () => {
  const guild = desk.nextGuild();
  const id = await nameChannel(guild, 'announcement_channel');
  world.removeChannel(id);
  await told(manager.id, 1);
  expect(world.direct.to(manager.id)[0]?.content).toBe(
    '**Guild 0**\nThe channel of **channel** was deleted. Choose another one: `/settings set channel`',
  );
  expect((await desk.recordOf(guild)).announcement_channel).toBe(id);
});

test('a channel of a setting of a team is lost when it is deleted, not when the bot cannot write there', async () => {
  const guild = desk.nextGuild();
  const id = await nameChannel(guild, 'modLog');
  world.setChannelPermissions(id, { [desk.botId]: { deny: PermissionFlagsBits.SendMessages } });
  world.removeChannel(id);
  await told(manager.id, 2);
  expect(world.direct.to(manager.id)[1]?.content).toContain('The channel of **Log of moderators** was deleted.');
});

test('nobody is told who does not manage the server any more', async () => {
  const guild = desk.nextGuild();
  const id = await nameChannel(guild, 'announcement_channel', member);
  world.removeChannel(id);
  await desk.restartBot();
  expect(world.direct.to(member.id)).toEqual([]);
  expect(world.direct.to(manager.id)).toHaveLength(2);
});
