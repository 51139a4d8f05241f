import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { GatewayIntentBits, GatewayOpcodes } from 'discord-api-types/v10';
import { expect } from 'vitest';
import { WebSocket } from 'ws';
import { BOT_ID, CHANNEL, startBotSim, test } from '../testing/bot-sim.ts';
import { APPLICATION, GUILD, MEMBER, OWNER } from '../testing/populated-sim.ts';
import { IDENTIFY, identifiedClient, rawClient } from '../testing/raw-client.ts';

const { Heartbeat, HeartbeatAck, Hello, Identify, InvalidSession, RequestGuildMembers, Resume } = GatewayOpcodes;

test('listens at its path, with a slash, and at the root, in versions 9 and 10', async ({ discord }) => {
  for (const path of ['/gateway', '/gateway/', '/', '/?v=10&encoding=json', '/gateway/?v=9']) {
    const client = await rawClient(discord, path);
    client.send(Identify, IDENTIFY);
    await expect.poll(client.events).toStrictEqual(['READY', 'GUILD_CREATE']);
    expect(client.heard[1]?.d).toMatchObject({ v: path.endsWith('v=9') ? 9 : 10 });
  }
  const [error] = await once(new WebSocket(`${discord.url.replace('http', 'ws')}/elsewhere`), 'error');
  expect(String(error)).toContain('404');
});

test('sends HELLO after the response to the upgrade, for clients that drop what comes with it', async ({ discord }) => {
  const headers = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' };
  const lostBytes = async (): Promise<number> => {
    const upgrade = { ...headers, 'sec-websocket-key': randomBytes(16).toString('base64') };
    const [, socket, head] = await once(request(`${discord.url}/gateway`, { headers: upgrade }).end(), 'upgrade');
    socket.destroy();
    return head.length;
  };
  // More than one attempt: on a busy machine both can arrive together by chance.
  await expect.poll(lostBytes).toBe(0);
});

test('says HELLO, acknowledges heartbeats, and greets with READY and the guilds', async () => {
  await using discord = await startBotSim({ gateway: { heartbeatIntervalMs: 1_234 } });
  discord.world.setUnavailable(GUILD.id, true);
  const client = await rawClient(discord);
  client.send(Heartbeat, null);
  client.send(Identify, IDENTIFY);
  await expect.poll(client.events).toStrictEqual(['READY', 'GUILD_DELETE']);
  expect(client.heard).toMatchObject([
    { op: Hello, d: { heartbeat_interval: 1_234 } },
    { op: HeartbeatAck },
    { s: 1, d: { guilds: [{ id: GUILD.id, unavailable: true }] } },
    { s: 2, d: { id: GUILD.id, unavailable: true } },
  ]);
});

test('READY has what Discord sends, and a shard if the client named one', async ({ discord }) => {
  const single = await identifiedClient(discord);
  const sharded = await identifiedClient(discord, { shard: [0, 1] });
  expect(single.heard[1]?.d).toStrictEqual({
    v: 10,
    user: expect.objectContaining({ id: BOT_ID, bot: true, verified: true }),
    guilds: [{ id: GUILD.id, unavailable: true }],
    session_id: discord.gateway.sessions()[0]?.id,
    resume_gateway_url: `${discord.url.replace('http', 'ws')}/gateway`,
    application: { id: APPLICATION.id, flags: 0, flags_new: '0' },
    private_channels: [],
    presences: [],
    relationships: [],
    guild_join_requests: [],
    user_settings: {},
  });
  expect(sharded.heard[1]?.d).toMatchObject({ shard: [0, 1] });
});

test('leaves `unavailable` out when the bot is removed', async ({ discord }) => {
  const client = await identifiedClient(discord);
  discord.world.removeBotFromGuild(GUILD.id);
  await expect.poll(() => client.heard.at(-1)).toMatchObject({ t: 'GUILD_DELETE' });
  expect(client.heard.at(-1)?.d).toStrictEqual({ id: GUILD.id });
});

test('answers a request for members by id, also as a number, by name and for all', async ({ discord }) => {
  discord.world.setNickname(GUILD.id, OWNER.id, 'Mikaela');
  const client = await identifiedClient(discord, { intents: IDENTIFY.intents | GatewayIntentBits.GuildMembers });
  client.send(RequestGuildMembers, { guild_id: GUILD.id, user_ids: [OWNER.id, '1'], nonce: 'n' });
  client.send(RequestGuildMembers, { guild_id: [GUILD.id], query: 'Mik', limit: 5, nonce: 'n'.repeat(33) });
  client.send(RequestGuildMembers, { guild_id: GUILD.id, query: '', limit: 0 });
  client.sendText(`{"op":${RequestGuildMembers},"d":{"guild_id":${GUILD.id},"user_ids":[${OWNER.id}]}}`);
  const chunks = () => client.heard.filter(({ t }) => t === 'GUILD_MEMBERS_CHUNK').map(({ d }) => d);
  await expect.poll(() => chunks().length).toBe(4);
  expect(chunks()).toMatchObject([
    { nonce: 'n', members: [{ user: { id: OWNER.id } }], not_found: ['1'], chunk_index: 0, chunk_count: 1 },
    { members: [{ user: { id: OWNER.id } }, { user: { id: MEMBER.id } }] },
    { members: [{}, {}, {}] },
    { guild_id: GUILD.id, members: [{ user: { id: OWNER.id } }] },
  ]);
  expect(chunks()[1]).not.toHaveProperty('nonce');
});

test('sends all members to a client with the intent only', async ({ discord }) => {
  const client = await identifiedClient(discord);
  client.send(RequestGuildMembers, { guild_id: GUILD.id, query: '', limit: 0 });
  client.send(RequestGuildMembers, { guild_id: GUILD.id, query: 'mika', limit: 1 });
  await expect.poll(() => client.heard.at(-1)).toMatchObject({ t: 'GUILD_MEMBERS_CHUNK' });
  expect(client.events()).toStrictEqual(['READY', 'GUILD_CREATE', 'GUILD_MEMBERS_CHUNK']);
});

test('replays exactly what was missed, in order', async ({ discord }) => {
  const first = await identifiedClient(discord);
  first.close(4200);
  await first.closed;
  const said = ['a', 'b', 'c'].map((text) => discord.people.sendMessage(MEMBER.id, CHANNEL.id, text).id);
  const second = await rawClient(discord);
  const [session] = discord.gateway.sessions();
  second.send(Resume, { token: IDENTIFY.token, session_id: session?.id, seq: 3 });
  await expect.poll(second.events).toStrictEqual(['MESSAGE_CREATE', 'MESSAGE_CREATE', 'RESUMED']);
  expect(second.heard.slice(1)).toMatchObject([{ s: 4, d: { id: said[1] } }, { s: 5, d: { id: said[2] } }, { s: 6 }]);
});

test('resumes with the prefix of the token, as some libraries send it', async ({ discord }) => {
  await identifiedClient(discord, { token: `Bot ${IDENTIFY.token}` });
  discord.gateway.dropAll();
  const second = await rawClient(discord);
  const [session] = discord.gateway.sessions();
  second.send(Resume, { token: `Bot ${IDENTIFY.token}`, session_id: session?.id, seq: 2 });
  await expect.poll(second.events).toStrictEqual(['RESUMED']);
});

test.each([
  ['after a clean close', { close: 1000, missed: 0, seq: 2 }, { op: InvalidSession, d: false }],
  ['after more than is kept', { close: 4200, missed: 1_001, seq: 2 }, { code: 4007, reason: 'Invalid seq.' }],
  ['ahead of the session', { close: 4200, missed: 0, seq: 3 }, { code: 4007, reason: 'Invalid seq.' }],
])('does not resume %s', async (_name, { close, missed, seq }, answer) => {
  await using discord = await startBotSim();
  const first = await identifiedClient(discord);
  const [session] = discord.gateway.sessions();
  first.close(close);
  await expect.poll(() => discord.gateway.sessions()[0]?.connected ?? false).toBe(false);
  for (let n = 0; n < missed; n += 1) discord.people.sendMessage(MEMBER.id, CHANNEL.id, 'x');
  const second = await rawClient(discord);
  second.send(Resume, { token: IDENTIFY.token, session_id: session?.id, seq });
  if ('code' in answer) expect(await second.closed).toStrictEqual(answer);
  else await expect.poll(() => second.heard.at(-1)).toMatchObject(answer);
  expect(discord.gateway.sessions()).toStrictEqual([]);
});
