import { GatewayIntentBits, GatewayOpcodes } from 'discord-api-types/v10';
import { afterAll, beforeAll, expect } from 'vitest';
import type { DiscordSim } from '../sim.ts';
import { BOT_ID, BOT_TOKEN, startBotSim, test } from '../testing/bot-sim.ts';
import { APPLICATION, GUILD, OWNER } from '../testing/populated-sim.ts';
import { IDENTIFY, rawClient } from '../testing/raw-client.ts';

const {
  Dispatch,
  Heartbeat,
  Identify,
  InvalidSession,
  PresenceUpdate,
  RequestChannelInfo,
  RequestGuildMembers,
  RequestSoundboardSounds,
  Resume,
  VoiceStateUpdate,
} = GatewayOpcodes;

/** For the tests that change nothing in it. */
let shared: DiscordSim;
beforeAll(async () => {
  shared = await startBotSim();
  const privilegedIntents = GatewayIntentBits.GuildMembers;
  shared.world.addBot({ applicationId: APPLICATION.id, token: BOT_TOKEN, userId: BOT_ID, privilegedIntents });
});
afterAll(() => shared.close());

test.each([
  ['/gateway?v=8', { code: 4012, reason: 'Invalid API version.' }],
  ['/gateway?v=ten', { code: 4012, reason: 'Invalid API version.' }],
  ['/gateway?v=10&encoding=etf', { code: 4012, reason: 'Expected encoding=json, received etf.' }],
])('closes a connection to %s', async (path, closed) => {
  expect(await (await rawClient(shared, path)).closed).toStrictEqual(closed);
});

test.each([
  ['a wrong token', { ...IDENTIFY, token: 'wrong' }, 4004, 'Authentication failed.'],
  ['no token', { ...IDENTIFY, token: undefined }, 4002, 'Error while decoding payload.'],
  ['no properties', { ...IDENTIFY, properties: undefined }, 4002, 'Error while decoding payload.'],
  ['no data', null, 4002, 'Error while decoding payload.'],
  ['a shard beyond their number', { ...IDENTIFY, shard: [2, 2] }, 4010, 'Invalid shard.'],
  ['half a shard', { ...IDENTIFY, shard: [0] }, 4010, 'Invalid shard.'],
  ['intents that do not exist', { ...IDENTIFY, intents: 2 ** 40 }, 4013, 'Invalid intent(s).'],
  ['no intents', { ...IDENTIFY, intents: undefined }, 4013, 'Invalid intent(s).'],
  [
    'intents that are not switched on',
    { ...IDENTIFY, intents: GatewayIntentBits.MessageContent },
    4014,
    'Disallowed intent(s).',
  ],
])('closes an IDENTIFY with %s', async (_name, identify, code, reason) => {
  const before = shared.gateway.sessions().length;
  const client = await rawClient(shared);
  client.send(Identify, identify);
  expect(await client.closed).toStrictEqual({ code, reason });
  expect(shared.gateway.sessions()).toHaveLength(before);
});

test('closes an IDENTIFY for more than 2,500 guilds', async ({ discord }) => {
  for (let index = 0; index < 2_500; index += 1) {
    const id = String(300_000_000_000_000_000n + (BigInt(index) << 22n));
    discord.world.addGuild({ id, name: id, ownerId: OWNER.id });
    discord.world.addBotToGuild(id);
  }
  const [single, sharded] = [await rawClient(discord), await rawClient(discord)];
  single.send(Identify, IDENTIFY);
  expect(await single.closed).toStrictEqual({ code: 4011, reason: 'Sharding required.' });
  sharded.send(Identify, { ...IDENTIFY, intents: 0, shard: [0, 2] });
  await expect.poll(sharded.events).toContain('READY');
});

test.each([
  ['no JSON', 'hello', 4002, 'Error while decoding payload.'],
  ['no opcode', '{"d":null}', 4002, 'Error while decoding payload.'],
  ['more than 4,096 bytes', `{"op":1,"d":null${' '.repeat(4_080)}}`, 4002, 'Error while decoding payload.'],
  ['an unknown opcode', '{"op":99}', 4001, 'Unknown opcode.'],
  ['an event', JSON.stringify({ op: Dispatch, t: 'MESSAGE_CREATE', d: {} }), 4001, 'Unknown opcode.'],
  ['a heartbeat that is no number', '{"op":1,"d":"1"}', 4001, 'Unknown opcode.'],
  ['a request before IDENTIFY', '{"op":8,"d":{}}', 4003, 'Not authenticated.'],
  [
    'a RESUME without a session',
    '{"op":6,"d":{"token":"token-of-the-bot","seq":1}}',
    4002,
    'Error while decoding payload.',
  ],
])('closes a client that sends %s', async (_name, text, code, reason) => {
  const client = await rawClient(shared);
  client.sendText(text);
  expect(await client.closed).toStrictEqual({ code, reason });
});

test('accepts a frame of 4,096 bytes, however many characters they are', async () => {
  const frame = (text: string) => `{"op":1,"d":null,"x":"${text}"}`;
  const client = await rawClient(shared);
  client.sendText(frame('ü'.repeat((4_096 - frame('').length) / 2)));
  await expect.poll(() => client.heard.length).toBe(2);
  client.sendText(frame('ü'.repeat((4_096 - frame('').length) / 2 + 1)));
  expect(await client.closed).toMatchObject({ code: 4002 });
});

test.each([
  ['another IDENTIFY', Identify, IDENTIFY, 4005, 'Already authenticated.'],
  ['a RESUME', Resume, { token: BOT_TOKEN, session_id: 'x', seq: 1 }, 4005, 'Already authenticated.'],
  ['a presence without `since`', PresenceUpdate, { activities: [], status: 'idle' }, 4001, 'Unknown opcode.'],
  [
    'a presence of a wrong status',
    PresenceUpdate,
    { since: null, activities: [], status: 'away', afk: false },
    4001,
    'Unknown opcode.',
  ],
  [
    'an activity without a name',
    PresenceUpdate,
    { since: null, activities: [{ type: 0 }], status: 'idle', afk: false },
    4001,
    'Unknown opcode.',
  ],
  ['a voice state without a channel', VoiceStateUpdate, { guild_id: GUILD.id }, 4001, 'Unknown opcode.'],
  ['members of no one', RequestGuildMembers, { guild_id: GUILD.id }, 4001, 'Unknown opcode.'],
  ['members without a limit', RequestGuildMembers, { guild_id: GUILD.id, query: 'm' }, 4001, 'Unknown opcode.'],
  [
    'members of two guilds',
    RequestGuildMembers,
    { guild_id: ['1', '2'], query: '', limit: 0 },
    4001,
    'Unknown opcode.',
  ],
  ['sounds of no guild', RequestSoundboardSounds, {}, 4001, 'Unknown opcode.'],
  ['channels without fields', RequestChannelInfo, { guild_id: GUILD.id }, 4001, 'Unknown opcode.'],
])('closes an identified client that sends %s', async (_name, op, data, code, reason) => {
  const client = await rawClient(shared);
  client.send(Identify, IDENTIFY);
  await expect.poll(client.events).toContain('READY');
  client.send(op, data);
  expect(await client.closed).toStrictEqual({ code, reason });
});

test('accepts what Discord documents, and answers requests', async () => {
  const client = await rawClient(shared);
  client.send(Identify, {
    ...IDENTIFY,
    presence: { since: null, activities: null, status: 'online', afk: false },
    large_threshold: 250,
  });
  client.send(PresenceUpdate, { since: 1, activities: [{ name: 'chess', type: 0 }], status: 'dnd', afk: false });
  client.send(VoiceStateUpdate, { guild_id: GUILD.id, channel_id: null, self_mute: false, self_deaf: false });
  client.send(RequestSoundboardSounds, { guild_ids: [GUILD.id, '1'] });
  client.send(RequestChannelInfo, { guild_id: GUILD.id, fields: ['status'] });
  client.send(Heartbeat, 1);
  await expect.poll(() => client.heard.at(-1)).toMatchObject({ op: GatewayOpcodes.HeartbeatAck });
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
    for (let n = 0; n < times; n += 1) client.send(Heartbeat, null);
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
  first.send(Identify, { ...IDENTIFY, shard: [0, 4] });
  await expect.poll(first.events).toContain('READY');
  other.send(Identify, { ...IDENTIFY, shard: [1, 4] });
  await expect.poll(other.events).toContain('READY');
  hasty.send(Identify, { ...IDENTIFY, shard: [2, 4] });
  await expect.poll(() => hasty.heard.at(-1)).toMatchObject({ op: InvalidSession, d: false });
  now += 5_000;
  hasty.send(Identify, { ...IDENTIFY, shard: [2, 4] });
  await expect.poll(hasty.events).toContain('READY');
});
