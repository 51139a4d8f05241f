import { PermissionFlagsBits } from 'discord-api-types/v10';
import { expect } from 'vitest';
import { CHANNEL, startBotSim, test } from '../testing/bot-sim.ts';
import { GUILD, MEMBER, OWNER } from '../testing/populated-sim.ts';
import { ALL_PERMISSIONS, EVERYDAY_PERMISSIONS } from './permissions.ts';

const { Administrator, Connect, ManageGuild, ReadMessageHistory, SendMessages, ViewChannel } = PermissionFlagsBits;

test("a channel adds to and takes from a member's permissions, one's own overwrite last", async ({ discord }) => {
  const { world } = discord;
  const mine = () => world.permissionsIn(CHANNEL.id, MEMBER.id);
  expect(mine()).toBe(EVERYDAY_PERMISSIONS);
  world.setPermissions(GUILD.id, MEMBER.id, ManageGuild);
  expect(mine()).toBe(EVERYDAY_PERMISSIONS | ManageGuild);
  world.setChannelPermissions(CHANNEL.id, {
    '@everyone': { deny: SendMessages },
    [MEMBER.id]: { allow: SendMessages | ViewChannel },
  });
  expect(mine()).toBe(ManageGuild | SendMessages | ViewChannel);
  world.setChannelPermissions(CHANNEL.id, { [MEMBER.id]: { deny: ViewChannel } });
  expect(mine()).toBe(0n);
  world.setPermissions(GUILD.id, MEMBER.id, Administrator);
  expect(mine()).toBe(ALL_PERMISSIONS);
  expect(world.permissionsIn(CHANNEL.id, OWNER.id)).toBe(ALL_PERMISSIONS);
  world.removeMember(GUILD.id, MEMBER.id);
  expect(mine()).toBe(0n);
});

test("the overwrite of a member's role comes after that of all, and before the member's own", async ({ discord }) => {
  const { world } = discord;
  const { roleId } = world.guilds.member(GUILD.id, MEMBER.id);
  const mine = () => world.permissionsIn(CHANNEL.id, MEMBER.id);
  world.setChannelPermissions(CHANNEL.id, { '@everyone': { deny: ViewChannel }, [roleId]: { allow: ViewChannel } });
  expect(mine()).toBe(ViewChannel);
  world.setChannelPermissions(CHANNEL.id, {
    [MEMBER.id]: { deny: SendMessages },
    [roleId]: { allow: SendMessages | Connect },
  });
  expect(mine()).toBe((EVERYDAY_PERMISSIONS | Connect) & ~SendMessages);
});

test('a member who is timed out may only read, until it ends; an administrator is never', async () => {
  const clock = { now: Date.now() };
  await using discord = await startBotSim({ clock: () => clock.now });
  const { world } = discord;
  const mine = () => world.permissionsIn(CHANNEL.id, MEMBER.id);
  world.setTimeout(GUILD.id, MEMBER.id, clock.now + 60_000);
  expect(mine()).toBe(ViewChannel | ReadMessageHistory);
  clock.now += 60_000;
  expect(mine()).toBe(EVERYDAY_PERMISSIONS);
  world.setTimeout(GUILD.id, MEMBER.id, clock.now + 60_000);
  world.setPermissions(GUILD.id, MEMBER.id, Administrator);
  expect(mine()).toBe(ALL_PERMISSIONS);
});

test('channels are in categories of their guild, have their own permissions, and outlive the category', async ({
  discord,
}) => {
  const { world } = discord;
  const category = { id: '1300000000000000003', guildId: GUILD.id, name: 'c', type: 'category' } as const;
  const voice = { id: '1300000000000000004', guildId: GUILD.id, name: 'v', type: 'voice' } as const;
  world.addChannel({ ...category, permissions: { [MEMBER.id]: { deny: ViewChannel } } });
  expect(() => world.addChannel({ ...category, id: voice.id, parentId: category.id })).toThrow('parent');
  world.addChannel({ ...voice, parentId: category.id });
  expect(world.permissionsIn(category.id, MEMBER.id)).toBe(0n);
  expect(world.permissionsIn(voice.id, MEMBER.id)).toBe(EVERYDAY_PERMISSIONS | Connect);
  world.removeChannel(category.id);
  expect(world.channelsOf(GUILD.id).at(-1)).toMatchObject({ id: voice.id, parentId: null });
});

test('threads have a parent in their guild and its permissions, other channels have none', async ({ discord }) => {
  const { world } = discord;
  const thread = { id: '1300000000000000003', guildId: GUILD.id, name: 't', type: 'thread' } as const;
  expect(() => world.addChannel(thread)).toThrow('parent');
  expect(() => world.addChannel({ ...thread, type: 'text', parentId: CHANNEL.id })).toThrow('parent');
  world.addChannel({ ...thread, parentId: CHANNEL.id });
  world.setChannelPermissions(CHANNEL.id, { [MEMBER.id]: { deny: ViewChannel } });
  expect(world.permissionsIn(thread.id, MEMBER.id)).toBe(0n);
  expect(() => world.setChannelPermissions(thread.id, {})).toThrow('parent');
});
