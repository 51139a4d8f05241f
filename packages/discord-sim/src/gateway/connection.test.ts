import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { GatewayIntentBits, GatewayOpcodes, GatewayOpcodes as Op } from 'discord-api-types/v10';
import { afterAll, beforeAll, expect } from 'vitest';
import { WebSocket } from 'ws';
import type { DiscordSim } from '../sim.ts';
import {
  APPLICATION,
  BOT_ID,
  BOT_TOKEN,
  CHANNEL,
  GUILD,
  IDENTIFY,
  identifiedClient,
  MEMBER,
  OWNER,
  rawClient,
  startBotSim,
  botTest as test,
} from '../testing/test-sim.ts';

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
  // Retried, because on a busy machine both can arrive together by chance.
  await expect.poll(lostBytes).toBe(0);
});

test('says HELLO, acknowledges heartbeats, and greets with READY and the guilds', async () => {
  await using discord = await startBotSim({ gateway: { heartbeatIntervalMs: 1_234 } });
  discord.world.setUnavailable(GUILD.id, true);
  const client = await rawClient(discord);
  client.send(Heartbeat, null);
  client.send(Identify, IDENTIFY);
  await expect.poll(client.events).toStrictEqual(['READY', 'GUILD_DELETE']);
  discord.gateway.requestHeartbeats();
  await expect.poll(() => client.heard.at(-1)).toMatchObject({ op: Heartbeat });
  expect(client.heard).toMatchObject([
    { op: Hello, d: { heartbeat_interval: 1_234 } },
    { op: HeartbeatAck },
    { s: 1, d: { guilds: [{ id: GUILD.id, unavailable: true }] } },
    { s: 2, d: { id: GUILD.id, unavailable: true } },
    { op: Heartbeat },
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

/** For tests that change nothing in it. */
let shared: DiscordSim;
beforeAll(async () => {
  shared = await startBotSim();
  const privilegedIntents = GatewayIntentBits.GuildMembers;
  shared.world.addBot({ applicationId: APPLICATION.id, token: BOT_TOKEN, userId: BOT_ID, privilegedIntents });
});
afterAll(() => shared.close());

const UNREADABLE = { code: 4002, reason: 'Error while decoding payload.' };
const UNKNOWN_OPCODE = { code: 4001, reason: 'Unknown opcode.' };
const AUTHENTICATED = { code: 4005, reason: 'Already authenticated.' };

test.each([
  ['/gateway?v=8', { code: 4012, reason: 'Invalid API version.' }],
  ['/gateway?v=ten', { code: 4012, reason: 'Invalid API version.' }],
  ['/gateway?v=10&encoding=etf', { code: 4012, reason: 'Expected encoding=json, received etf.' }],
])('closes a connection to %s', async (path, closed) => {
  expect(await (await rawClient(shared, path)).closed).toStrictEqual(closed);
});

test.each([
  ['a wrong token', { token: 'wrong' }, { code: 4004, reason: 'Authentication failed.' }],
  ['no token', { token: undefined }, UNREADABLE],
  ['no properties', { properties: undefined }, UNREADABLE],
  ['a shard beyond their number', { shard: [2, 2] }, { code: 4010, reason: 'Invalid shard.' }],
  ['half a shard', { shard: [0] }, { code: 4010, reason: 'Invalid shard.' }],
  ['intents that do not exist', { intents: 2 ** 40 }, { code: 4013, reason: 'Invalid intent(s).' }],
  ['no intents', { intents: undefined }, { code: 4013, reason: 'Invalid intent(s).' }],
  [
    'intents that are off',
    { intents: GatewayIntentBits.MessageContent },
    { code: 4014, reason: 'Disallowed intent(s).' },
  ],
])('closes an IDENTIFY with %s', async (_name, change, closed) => {
  const before = shared.gateway.sessions().length;
  const client = await rawClient(shared);
  client.send(Op.Identify, { ...IDENTIFY, ...change });
  expect(await client.closed).toStrictEqual(closed);
  expect(shared.gateway.sessions()).toHaveLength(before);
});

test('closes an IDENTIFY for more than 2,500 guilds', async ({ discord }) => {
  for (let index = 0; index < 2_500; index += 1) {
    const id = String(300_000_000_000_000_000n + (BigInt(index) << 22n));
    discord.world.addGuild({ id, name: id, ownerId: OWNER.id });
    discord.world.addBotToGuild(id);
  }
  const [single, sharded] = [await rawClient(discord), await rawClient(discord)];
  single.send(Op.Identify, IDENTIFY);
  expect(await single.closed).toStrictEqual({ code: 4011, reason: 'Sharding required.' });
  sharded.send(Op.Identify, { ...IDENTIFY, intents: 0, shard: [0, 2] });
  await expect.poll(sharded.events).toContain('READY');
});

test.each([
  ['no JSON', 'hello', UNREADABLE],
  ['no opcode', '{"d":null}', UNREADABLE],
  ['more than 4,096 bytes', `{"op":1,"d":null${' '.repeat(4_080)}}`, UNREADABLE],
  ['an unknown opcode', '{"op":99}', UNKNOWN_OPCODE],
  ['an event', JSON.stringify({ op: Op.Dispatch, t: 'MESSAGE_CREATE', d: {} }), UNKNOWN_OPCODE],
  ['a heartbeat that is no number', '{"op":1,"d":"1"}', UNKNOWN_OPCODE],
  ['an IDENTIFY without data', '{"op":2,"d":null}', UNREADABLE],
  ['a request before IDENTIFY', '{"op":8,"d":{}}', { code: 4003, reason: 'Not authenticated.' }],
  ['a RESUME without a session', '{"op":6,"d":{"token":"token-of-the-bot","seq":1}}', UNREADABLE],
])('closes a client that sends %s', async (_name, text, closed) => {
  const client = await rawClient(shared);
  client.sendText(text);
  expect(await client.closed).toStrictEqual(closed);
});

test('accepts a frame of 4,096 bytes, however many characters they are', async () => {
  const frame = (text: string) => `{"op":1,"d":null,"x":"${text}"}`;
  const client = await rawClient(shared);
  client.sendText(frame('ü'.repeat((4_096 - frame('').length) / 2)));
  await expect.poll(() => client.heard.length).toBe(2);
  client.sendText(frame('ü'.repeat((4_096 - frame('').length) / 2 + 1)));
  expect(await client.closed).toMatchObject({ code: 4002 });
});

const PRESENCE = { since: null, activities: [], status: 'idle', afk: false };

test.each([
  ['another IDENTIFY', Op.Identify, IDENTIFY, AUTHENTICATED],
  ['a RESUME', Op.Resume, { token: BOT_TOKEN, session_id: 'x', seq: 1 }, AUTHENTICATED],
  ['a presence without `since`', Op.PresenceUpdate, { ...PRESENCE, since: undefined }, UNKNOWN_OPCODE],
  ['a presence of a wrong status', Op.PresenceUpdate, { ...PRESENCE, status: 'away' }, UNKNOWN_OPCODE],
  ['an activity without a name', Op.PresenceUpdate, { ...PRESENCE, activities: [{ type: 0 }] }, UNKNOWN_OPCODE],
  ['a voice state without a channel', Op.VoiceStateUpdate, { guild_id: GUILD.id }, UNKNOWN_OPCODE],
  ['members of no one', Op.RequestGuildMembers, { guild_id: GUILD.id }, UNKNOWN_OPCODE],
  ['members without a limit', Op.RequestGuildMembers, { guild_id: GUILD.id, query: 'm' }, UNKNOWN_OPCODE],
  ['members of two guilds', Op.RequestGuildMembers, { guild_id: ['1', '2'], query: '', limit: 0 }, UNKNOWN_OPCODE],
  ['sounds of no guild', Op.RequestSoundboardSounds, {}, UNKNOWN_OPCODE],
  ['channels without fields', Op.RequestChannelInfo, { guild_id: GUILD.id }, UNKNOWN_OPCODE],
])('closes an identified client that sends %s', async (_name, op, data, closed) => {
  const client = await identifiedClient(shared);
  client.send(op, data);
  expect(await client.closed).toStrictEqual(closed);
});

test('accepts what Discord documents, and answers requests', async () => {
  const presence = { since: null, activities: null, status: 'online', afk: false };
  const client = await identifiedClient(shared, { presence, large_threshold: 250 });
  client.send(Op.PresenceUpdate, { since: 1, activities: [{ name: 'chess', type: 0 }], status: 'dnd', afk: false });
  client.send(Op.VoiceStateUpdate, { guild_id: GUILD.id, channel_id: null, self_mute: false, self_deaf: false });
  client.send(Op.RequestSoundboardSounds, { guild_ids: [GUILD.id, '1'] });
  client.send(Op.RequestChannelInfo, { guild_id: GUILD.id, fields: ['status'] });
  client.send(Op.Heartbeat, 1);
  await expect.poll(() => client.heard.at(-1)).toMatchObject({ op: Op.HeartbeatAck });
  expect(client.heard.slice(3, -1)).toMatchObject([
    { t: 'SOUNDBOARD_SOUNDS', d: { guild_id: GUILD.id, soundboard_sounds: [] } },
    { t: 'CHANNEL_INFO', d: { guild_id: GUILD.id, channels: [] } },
  ]);
});

test('closes a client that sends more than 120 frames in 60 s', async () => {
  let now = Date.now();
  await using discord = await startBotSim({ clock: () => now });
  const client = await rawClient(discord);
  const beat = (times: number) => {
    for (let n = 0; n < times; n += 1) client.send(Op.Heartbeat, null);
  };
  beat(120);
  await expect.poll(() => client.heard.length).toBe(121);
  now += 60_000;
  beat(121);
  expect(await client.closed).toStrictEqual({ code: 4008, reason: 'Rate limited.' });
  expect(client.heard.length).toBe(241);
});

test('closes a client that sends no heartbeats', async () => {
  await using discord = await startBotSim({ gateway: { heartbeatIntervalMs: 20, heartbeatToleranceMs: 0 } });
  const client = await rawClient(discord);
  expect(await client.closed).toStrictEqual({ code: 4009, reason: 'Session timed out.' });
});

test('lets a shard identify once in the given interval', async () => {
  let now = Date.now();
  await using discord = await startBotSim({
    clock: () => now,
    gateway: { identifyIntervalMs: 5_000, maxConcurrency: 2 },
  });
  const [first, other, hasty] = [await rawClient(discord), await rawClient(discord), await rawClient(discord)];
  first.send(Op.Identify, { ...IDENTIFY, shard: [0, 4] });
  await expect.poll(first.events).toContain('READY');
  other.send(Op.Identify, { ...IDENTIFY, shard: [1, 4] });
  await expect.poll(other.events).toContain('READY');
  hasty.send(Op.Identify, { ...IDENTIFY, shard: [2, 4] });
  await expect.poll(() => hasty.heard.at(-1)).toMatchObject({ op: Op.InvalidSession, d: false });
  now += 5_000;
  hasty.send(Op.Identify, { ...IDENTIFY, shard: [2, 4] });
  await expect.poll(hasty.events).toContain('READY');
});
