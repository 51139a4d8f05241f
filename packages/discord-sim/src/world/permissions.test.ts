import { Events, PermissionFlagsBits } from 'discord.js';
import { expect } from 'vitest';
import {
  asBot,
  BOT_ID,
  CHANNEL,
  GUILD,
  get,
  json,
  MEMBER,
  memberToken,
  OWNER,
  startBotSim,
  botTest as test,
} from '../testing/test-sim.ts';
import { ALL_PERMISSIONS, EVERYDAY_PERMISSIONS } from './permissions.ts';

const { Administrator, Connect, ManageGuild, ManageRoles, ReadMessageHistory, SendMessages, ViewChannel } =
  PermissionFlagsBits;

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

test('channels are in categories of their guild, and outlive them with their permissions', async ({ discord }) => {
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

const STAFF = {
  id: '1500000000000000001',
  guildId: GUILD.id,
  name: 'Staff',
  permissions: ManageGuild,
  color: 0xff8800,
};
const MUTED = { id: '1500000000000000002', guildId: GUILD.id, name: 'Muted' };

test('a member has the permissions of all roles until a role is changed, taken or deleted', async ({ discord }) => {
  const { world } = discord;
  const token = memberToken(discord);
  const permissions = async () => {
    const [guild] = await json<{ permissions: string }[]>(get(discord, '/users/@me/guilds', token));
    return BigInt(guild?.permissions ?? 0);
  };
  world.addRole(STAFF);
  world.addRole(MUTED);
  expect(await permissions()).toBe(0n);
  world.setMemberRoles(GUILD.id, MEMBER.id, [STAFF.id, MUTED.id]);
  expect(await permissions()).toBe(ManageGuild);
  world.addRole({ ...STAFF, permissions: ManageRoles });
  expect(await permissions()).toBe(ManageRoles);
  world.deleteRole(GUILD.id, STAFF.id);
  expect(await permissions()).toBe(0n);
  expect(world.membersOf(GUILD.id).find(({ userId }) => userId === MEMBER.id)?.roleIds).toStrictEqual([MUTED.id]);
  expect(() => world.setMemberRoles(GUILD.id, MEMBER.id, [STAFF.id])).toThrow('has no role');
  expect(() => world.deleteRole(GUILD.id, STAFF.id)).toThrow('has no role');
});

test('in a channel, what one role allows wins over what another denies', ({ discord }) => {
  const { world } = discord;
  world.addRole(STAFF);
  world.addRole(MUTED);
  world.setMemberRoles(GUILD.id, MEMBER.id, [MUTED.id]);
  world.setChannelPermissions(CHANNEL.id, { [MUTED.id]: { deny: SendMessages }, [STAFF.id]: { allow: SendMessages } });
  expect(world.permissionsIn(CHANNEL.id, MEMBER.id)).toBe(EVERYDAY_PERMISSIONS & ~SendMessages);
  world.setMemberRoles(GUILD.id, MEMBER.id, [STAFF.id, MUTED.id]);
  expect(world.permissionsIn(CHANNEL.id, MEMBER.id)).toBe(EVERYDAY_PERMISSIONS | ManageGuild);
});

test('a guild has its roles with name, colour and position, and that of a bot is managed', async ({ discord }) => {
  const { world } = discord;
  world.addRole(STAFF);
  world.addRole({ ...MUTED, mentionable: true });
  const roles = await json<{ id: string }[]>(asBot(discord, 'GET', `/guilds/${GUILD.id}/roles`));
  const { roleId } = world.guilds.member(GUILD.id, BOT_ID);
  expect(roles[0]).toMatchObject({ id: GUILD.id, name: '@everyone', position: 0, permissions: '0' });
  expect(roles.find(({ id }) => id === roleId)).toMatchObject({ name: 'Settings', managed: true });
  expect(roles.slice(-2)).toMatchObject([
    { id: STAFF.id, name: 'Staff', color: 0xff8800, position: 2, permissions: '32', managed: false },
    { id: MUTED.id, name: 'Muted', color: 0, position: 3, permissions: '0', mentionable: true },
  ]);
  expect(await json(asBot(discord, 'GET', `/guilds/${GUILD.id}`))).toMatchObject({ roles });
});

test('a bot is told of roles, and of who has them', async ({ client, discord }) => {
  const { world } = discord;
  const guild = client.guilds.cache.get(GUILD.id);
  await guild?.members.fetch(MEMBER.id);
  const heard: string[] = [];
  client.on(Events.GuildRoleCreate, ({ name }) => heard.push(`created ${name}`));
  client.on(Events.GuildRoleUpdate, (_, { name }) => heard.push(`renamed ${name}`));
  client.on(Events.GuildRoleDelete, ({ name }) => heard.push(`deleted ${name}`));
  client.on(Events.GuildMemberUpdate, (_, { roles }) => heard.push(`has ${roles.cache.has(STAFF.id)}`));
  world.addRole(STAFF);
  world.setMemberRoles(GUILD.id, MEMBER.id, [STAFF.id]);
  world.addRole({ ...STAFF, name: 'Helpers' });
  world.deleteRole(GUILD.id, STAFF.id);
  await expect.poll(() => heard).toStrictEqual(['created Staff', 'has true', 'renamed Helpers', 'deleted Helpers']);
});
