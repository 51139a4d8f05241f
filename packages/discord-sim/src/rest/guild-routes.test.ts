import { PermissionFlagsBits } from 'discord-api-types/v10';
import { expect } from 'vitest';
import {
  APPLICATION,
  asBot,
  BOT_ID,
  CHANNEL,
  GUILD,
  json,
  MEMBER,
  OWNER,
  outcome,
  readyClient,
  startBotSim,
  botTest as test,
} from '../testing/test-sim.ts';
import type { World } from '../world/world.ts';

const CATEGORY = { id: '1300000000000000003', guildId: GUILD.id, name: 'Talk', type: 'category' } as const;
const VOICE = { id: '1300000000000000004', guildId: GUILD.id, name: 'loud', type: 'voice' } as const;

test('every route of a bot needs its token', async ({ discord }) => {
  const paths = ['/gateway/bot', '/applications/@me', `/guilds/${GUILD.id}`, `/channels/${CHANNEL.id}`];
  for (const path of [...paths, `/applications/${APPLICATION.id}/commands`]) {
    const status = async (headers = {}) => (await fetch(`${discord.apiUrl}${path}`, { headers })).status;
    expect([await status(), await status({ authorization: 'Bot nobody' })]).toStrictEqual([401, 401]);
    expect((await asBot(discord, 'GET', path)).status).toBe(200);
  }
});

test('says where the gateway is, without its limits to everyone', async () => {
  await using discord = await startBotSim({ gateway: { shards: 2, maxConcurrency: 4 } });
  expect(await json(asBot(discord, 'GET', '/gateway/bot'))).toMatchObject({
    url: `${discord.url.replace('http', 'ws')}/gateway`,
    shards: 2,
    session_start_limit: { max_concurrency: 4 },
  });
  const url = `${discord.url.replace('http', 'ws')}/gateway`;
  expect(await json(fetch(`${discord.apiUrl}/gateway`))).toStrictEqual({ url });
});

test('shows the bot itself, its application, its guilds and who is in them', async ({ client }) => {
  const application = await client.application.fetch();
  expect(application.name).toBe(APPLICATION.name);
  expect(application.owner?.id).toBe(OWNER.id);
  expect((await client.user.fetch()).bot).toBe(true);
  expect((await client.guilds.fetch()).map(({ id, name }) => [id, name])).toStrictEqual([[GUILD.id, GUILD.name]]);
  const guild = await client.guilds.fetch({ guild: GUILD.id, force: true });
  expect(guild.name).toBe(GUILD.name);
  expect((await guild.channels.fetch()).map((channel) => channel?.id)).toStrictEqual([CHANNEL.id]);
  expect((await guild.members.fetch({ user: MEMBER.id, force: true })).user.username).toBe(MEMBER.username);
  expect((await guild.members.fetch()).size).toBe(3);
  await expect(guild.members.fetch('1299999999999999999')).rejects.toMatchObject({ code: 10007 });
});

test('shows a bot any user, also one who shares no guild with it', async ({ client, discord }) => {
  discord.world.removeMember(GUILD.id, MEMBER.id);
  const member = client.guilds.cache.get(GUILD.id)?.members.fetch({ user: MEMBER.id, force: true });
  await expect(member).rejects.toMatchObject({ code: 10007 });
  expect((await client.users.fetch(MEMBER.id, { force: true })).displayName).toBe(MEMBER.username);
  await expect(client.users.fetch('1299999999999999999')).rejects.toMatchObject({ code: 10013 });
});

test('a bot may not see a guild that it has left, and an unknown one does not exist', async ({ discord }) => {
  expect(await json(asBot(discord, 'GET', '/users/@me'))).toMatchObject({ id: BOT_ID, bot: true });
  const guild = async () => {
    return outcome(asBot(discord, 'GET', `/guilds/${GUILD.id}`));
  };
  discord.world.removeBotFromGuild(GUILD.id);
  expect(await guild()).toStrictEqual([403, { message: 'Missing Access', code: 50001 }]);
  expect(await json(asBot(discord, 'GET', `/channels/${CHANNEL.id}`))).toMatchObject({ code: 50001 });
  discord.world.removeGuild(GUILD.id);
  expect(await guild()).toStrictEqual([404, { message: 'Unknown Guild', code: 10004 }]);
});

test('counts the members of a guild when asked to', async ({ discord }) => {
  const path = `/guilds/${GUILD.id}`;
  const counts = { approximate_member_count: 3, approximate_presence_count: 0 };
  expect(await json(asBot(discord, 'GET', path))).not.toHaveProperty('approximate_member_count');
  expect(await json(asBot(discord, 'GET', `${path}?with_counts=true`))).toMatchObject(counts);
});

test('lists all channels of a guild to a bot, also those that it cannot see, and no threads', async ({ discord }) => {
  const { world } = discord;
  const { roleId } = world.membersOf(GUILD.id).find(({ userId }) => userId === MEMBER.id) ?? { roleId: '' };
  const [category, voice] = [CATEGORY.id, VOICE.id];
  const denied = { deny: PermissionFlagsBits.ViewChannel };
  world.addChannel({ ...CATEGORY, position: 3 });
  const permissions = { '@everyone': {}, [roleId]: denied, [BOT_ID]: denied };
  world.addChannel({ ...VOICE, parentId: category, permissions });
  world.addChannel({ ...CHANNEL, id: '1300000000000000005', type: 'thread', parentId: CHANNEL.id });
  const zero = { allow: '0', deny: '0' };
  expect(await json(asBot(discord, 'GET', `/guilds/${GUILD.id}/channels`))).toMatchObject([
    { id: CHANNEL.id, type: 0, position: 0, parent_id: null },
    { id: category, type: 4, position: 3, parent_id: null },
    {
      id: voice,
      type: 2,
      parent_id: category,
      permission_overwrites: expect.arrayContaining([
        { id: GUILD.id, type: 0, ...zero },
        { id: roleId, type: 0, allow: '0', deny: '1024' },
        { id: BOT_ID, type: 1, allow: '0', deny: '1024' },
      ]),
    },
  ]);
  await using client = await readyClient(discord);
  const guild = await client.guilds.fetch(GUILD.id);
  expect(guild.channels.cache.get(voice)).toMatchObject({ parentId: category, bitrate: 64_000 });
});

test('lists the custom emojis of a guild, by themselves and with the guild', async ({ discord }) => {
  const { world } = discord;
  world.addEmoji({ guildId: GUILD.id, id: '1400000000000000001', name: 'tea' });
  world.addEmoji({ guildId: GUILD.id, id: '1400000000000000002', name: 'party', animated: true, available: false });
  const emojis = await json(asBot(discord, 'GET', `/guilds/${GUILD.id}/emojis`));
  expect(emojis).toMatchObject([
    { id: '1400000000000000001', name: 'tea', animated: false, available: true, managed: false },
    { id: '1400000000000000002', name: 'party', animated: true, available: false },
  ]);
  expect(await json(asBot(discord, 'GET', `/guilds/${GUILD.id}`))).toMatchObject({ emojis });
  await using client = await readyClient(discord);
  const [tea, party] = client.guilds.cache.get(GUILD.id)?.emojis.cache.values() ?? [];
  expect([`${tea}`, `${party}`]).toEqual(['<:tea:1400000000000000001>', '<a:party:1400000000000000002>']);
  expect((await client.guilds.cache.get(GUILD.id)?.emojis.fetch())?.size).toBe(2);
});

test('refuses posts in categories, in voice channels without Connect, and during a timeout', async ({ discord }) => {
  const { world } = discord;
  const [category, voice] = [CATEGORY.id, VOICE.id];
  world.addChannel(CATEGORY);
  world.addChannel(VOICE);
  const post = async (id: string) => {
    const response = await asBot(discord, 'POST', `/channels/${id}/messages`, { content: 'tea' });
    const { code } = (await response.json()) as { readonly code?: number };
    return [response.status, code];
  };
  expect(await post(category)).toEqual([400, 50_008]);
  expect(await post(voice)).toEqual([200, undefined]);
  world.setChannelPermissions(voice, { [BOT_ID]: { deny: PermissionFlagsBits.Connect } });
  expect(await post(voice)).toEqual([403, 50_001]);
  world.setTimeout(GUILD.id, BOT_ID, Date.now() + 60_000);
  expect(await post(CHANNEL.id)).toEqual([403, 50_013]);
  const bot = await json<{ communication_disabled_until: string }>(
    asBot(discord, 'GET', `/guilds/${GUILD.id}/members/${BOT_ID}`),
  );
  expect(Date.parse(bot.communication_disabled_until)).toBeGreaterThan(Date.now());
});

const PATH = `/guilds/${GUILD.id}/members/search`;

test('is for bots in the guild', async ({ discord }) => {
  discord.world.removeBotFromGuild(GUILD.id);
  expect((await asBot(discord, 'GET', `${PATH}?query=x`)).status).toBe(403);
  expect((await fetch(`${discord.apiUrl}${PATH}?query=x`)).status).toBe(401);
});

const [NEWCOMER, BOTS, ADMINS] = ['1500000000000000001', '1500000000000000002', '1500000000000000003'];

/** Adds a role below the bot's highest role, that role, and a role above it. */
function addRoles(world: World): void {
  world.addRole({ id: NEWCOMER, guildId: GUILD.id, name: 'Newcomer' });
  world.addRole({ id: BOTS, guildId: GUILD.id, name: 'Bots', permissions: PermissionFlagsBits.ManageRoles });
  world.addRole({ id: ADMINS, guildId: GUILD.id, name: 'Admins' });
  world.setMemberRoles(GUILD.id, BOT_ID, [BOTS]);
}

const rolesOf = (world: World) => world.membersOf(GUILD.id).find(({ userId }) => userId === MEMBER.id)?.roleIds;

test('a bot gives a member a role, and takes it away', async ({ client, discord: { world } }) => {
  addRoles(world);
  const guild = await client.guilds.fetch(GUILD.id);
  const member = await guild.members.fetch(MEMBER.id);
  for (let time = 0; time < 2; time += 1) await member.roles.add(NEWCOMER);
  expect(rolesOf(world)).toEqual([NEWCOMER]);
  await member.roles.remove(NEWCOMER);
  expect(rolesOf(world)).toEqual([]);
});

test('refuses roles that the bot may not manage, and what does not exist', async ({ discord }) => {
  const { world } = discord;
  addRoles(world);
  const answer = async (roleId: string, userId = MEMBER.id) => {
    const response = await asBot(discord, 'PUT', `/guilds/${GUILD.id}/members/${userId}/roles/${roleId}`);
    return [response.status, ((await response.json()) as { readonly code: number }).code];
  };
  const { roleId: managed = '' } = world.membersOf(GUILD.id).find(({ userId }) => userId === BOT_ID) ?? {};
  for (const roleId of [ADMINS, BOTS, managed]) expect(await answer(roleId)).toEqual([403, 50_013]);
  expect(await answer('1500000000000000009')).toEqual([404, 10_011]);
  expect(await answer(NEWCOMER, '1299999999999999999')).toEqual([404, 10_007]);
  world.setMemberRoles(GUILD.id, BOT_ID, [ADMINS]);
  expect(await answer(NEWCOMER)).toEqual([403, 50_013]);
  expect(rolesOf(world)).toEqual([]);
});
