import { defineSettings } from '@guild-settings/contract/settings';
import { PEOPLE } from '@guild-settings/discord-sim/testing/world';
import { waitUntil } from '@guild-settings/testing';
import { PermissionFlagsBits } from 'discord.js';
import { afterAll, expect, test } from 'vitest';
import { startSettingsDesk } from './testing/settings-desk.ts';

const { manager, member } = PEOPLE;
const label = { 'en-US': 'Mod log' };
const declaration = defineSettings({
  settings: {
    modLog: { kind: 'channel', label },
    noXp: { kind: 'channel', many: { max: 3 }, label: { 'en-US': 'Channels without XP' } },
    feeds: {
      kind: 'table',
      max: 3,
      columns: { feed: { kind: 'text', max: 20, label }, channel: { kind: 'channel', needs: ['EmbedLinks'], label } },
      label: { 'en-US': 'Feeds' },
    },
    art: { kind: 'channel', needs: ['EmbedLinks', 'AddReactions'], label: { 'en-US': 'Art channel' } },
  },
});
const desk = await startSettingsDesk(5, { declaration });
afterAll(() => desk[Symbol.asyncDispose]());
const { world } = desk.discord;
const { AddReactions, EmbedLinks, ManageMessages, SendMessages, ViewChannel } = PermissionFlagsBits;
const ALLOWED = AddReactions | EmbedLinks | SendMessages | ViewChannel;

const told = (userId: string, count: number) =>
  waitUntil(() => world.direct.to(userId).length === count, { message: 'a direct message' });

/** Adds a channel and puts it into a guild's settings as a user. */
async function nameChannel(
  guild: Awaited<ReturnType<typeof desk.nextGuild>>,
  field: 'announcement_channel' | 'modLog' | 'noXp' | 'art',
  user: { readonly id: string } = manager,
) {
  const id = guild.channel.replace(/^3/, String(4 + ['announcement_channel', 'modLog', 'noXp', 'art'].indexOf(field)));
  world.addChannel({ id, guildId: guild.id, name: 'news', permissions: { [desk.botId]: { allow: ALLOWED } } });
  const value = field === 'noXp' ? [id] : id;
  await desk.change(guild, field === 'announcement_channel' ? { [field]: id } : { custom: { [field]: value } }, user);
  return id;
}

const deny = (id: string, permission: bigint) =>
  world.setChannelPermissions(id, { [desk.botId]: { allow: ALLOWED & ~permission, deny: permission } });

test('a lost channel is said to the manager who set it last, where the server has no channel for it', async () => {
  const guild = desk.nextGuild();
  const id = await nameChannel(guild, 'announcement_channel');
  world.removeChannel(id);
  await told(manager.id, 1);
  expect(world.direct.to(manager.id)[0]?.content).toBe(
    '**Guild 0**\nThe channel chosen for **channel** was deleted. Choose another one: `/settings set channel`',
  );
  expect((await desk.recordOf(guild)).announcement_channel).toBe(id);
});

test('a channel of a setting of a team is lost when it is deleted', async () => {
  const guild = desk.nextGuild();
  world.removeChannel(await nameChannel(guild, 'noXp'));
  await told(manager.id, 2);
  expect(world.direct.to(manager.id)[1]?.content).toContain(
    'The channel chosen for **Channels without XP** was deleted.',
  );
});

test('and when the bot may not do in it any more what the setting needs, by the name of the permission', async () => {
  const guild = desk.nextGuild();
  const [noXp, art] = [await nameChannel(guild, 'noXp'), await nameChannel(guild, 'art')];
  for (const id of [noXp, art]) deny(id, ManageMessages);
  deny(noXp, SendMessages);
  deny(art, AddReactions);
  await told(manager.id, 3);
  expect(world.direct.to(manager.id)[2]?.content).toContain(
    `I no longer have “Add Reactions” in <#${art}>, the channel chosen for **Art channel**. Allow this in the channel’s settings`,
  );
  const other = desk.nextGuild();
  const feed = other.channel.replace(/^3/, '8');
  world.addChannel({ id: feed, guildId: other.id, name: 'feed', permissions: { [desk.botId]: { allow: ALLOWED } } });
  await desk.change(other, { custom: { feeds: [{ feed: 'a', channel: feed }] } });
  deny(feed, EmbedLinks);
  await told(manager.id, 4);
  expect(world.direct.to(manager.id)[3]?.content).toContain(
    `I no longer have “Embed Links” in <#${feed}>, the channel chosen for **Feeds**.`,
  );
  const modLog = await nameChannel(other, 'modLog');
  deny(modLog, SendMessages);
  await told(manager.id, 5);
  expect(world.direct.to(manager.id)[4]?.content).toContain(`I no longer have “Send Messages” in <#${modLog}>`);
});

test('nobody is told who does not manage the server any more', async () => {
  const guild = desk.nextGuild();
  const id = await nameChannel(guild, 'announcement_channel', member);
  world.removeChannel(id);
  await desk.restartBot();
  expect(world.direct.to(member.id)).toEqual([]);
  expect(world.direct.to(manager.id)).toHaveLength(5);
});
