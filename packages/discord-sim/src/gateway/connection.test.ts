import { once } from 'node:events';
import { GatewayIntentBits, GatewayOpcodes } from 'discord-api-types/v10';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { DiscordSim } from '../sim.ts';
import { BOT_TOKEN, CHANNEL, startBotSim } from '../testing/bot-sim.ts';
import { APPLICATION, GUILD, MEMBER, OWNER } from '../testing/populated-sim.ts';

const IDENTIFY = { token: BOT_TOKEN, intents: GatewayIntentBits.Guilds | GatewayIntentBits.GuildMessages };
const { Heartbeat, HeartbeatAck, Hello, Identify, InvalidSession, RequestGuildMembers, Resume } = GatewayOpcodes;

/** A client that speaks the protocol by hand and keeps what it hears. */
async function rawClient({ url }: DiscordSim, query = '?v=10&encoding=json') {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/gateway${query}`);
  const heard: { op: number; t: string | null; s: number | null; d: unknown }[] = [];
  socket.on('message', (data) => heard.push(JSON.parse(String(data))));
  const closed = once(socket, 'close').then(([code]) => Number(code));
  await once(socket, 'open');
  return {
    heard,
    closed,
    send: (op: number, d: unknown) => socket.send(JSON.stringify({ op, d })),
    sendText: (text: string) => socket.send(text),
    close: (code?: number) => socket.close(code),
    events: () => heard.flatMap(({ t }) => (t === null ? [] : [t])),
  };
}

test.each([
  ['a wrong token', { ...IDENTIFY, token: 'wrong' }, 4004],
  ['a shard beyond their number', { ...IDENTIFY, shard: [2, 2] }, 4010],
  ['half a shard', { ...IDENTIFY, shard: [0] }, 4010],
  ['intents that do not exist', { ...IDENTIFY, intents: 2 ** 40 }, 4013],
  ['no intents', { token: BOT_TOKEN }, 4013],
  ['intents that are not switched on', { ...IDENTIFY, intents: GatewayIntentBits.MessageContent }, 4014],
])('closes an IDENTIFY with %s', async (_name, identify, code) => {
  await using discord = await startBotSim();
  const privilegedIntents = GatewayIntentBits.GuildMembers;
  discord.world.addBot({ applicationId: APPLICATION.id, token: BOT_TOKEN, privilegedIntents });
  const client = await rawClient(discord);
  client.send(Identify, identify);
  expect(await client.closed).toBe(code);
  expect(discord.gateway.sessions()).toStrictEqual([]);
});

test.each([
  ['no JSON', 'hello', 4002],
  ['an unknown opcode', '{"op":99}', 4001],
  ['a request before IDENTIFY', '{"op":8,"d":{}}', 4003],
])('closes a client that sends %s', async (_name, text, code) => {
  await using discord = await startBotSim();
  const client = await rawClient(discord);
  client.sendText(text);
  expect(await client.closed).toBe(code);
});

test('speaks version 10 in JSON only, and at its path only', async () => {
  await using discord = await startBotSim();
  expect(await (await rawClient(discord, '?v=9')).closed).toBe(4012);
  const [error] = await once(new WebSocket(`${discord.url.replace('http', 'ws')}/elsewhere`), 'error');
  expect(String(error)).toContain('400');
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
    {
      s: 1,
      d: { guilds: [{ id: GUILD.id, unavailable: true }], resume_gateway_url: expect.stringContaining('/gateway') },
    },
    { s: 2, d: { id: GUILD.id, unavailable: true } },
  ]);
  client.send(Identify, IDENTIFY);
  expect(await client.closed).toBe(4005);
});

test('leaves `unavailable` out when the bot is removed', async () => {
  await using discord = await startBotSim();
  const client = await rawClient(discord);
  client.send(Identify, IDENTIFY);
  await expect.poll(client.events).toContain('GUILD_CREATE');
  discord.world.removeBotFromGuild(GUILD.id);
  await expect.poll(() => client.heard.at(-1)).toMatchObject({ t: 'GUILD_DELETE' });
  expect(client.heard.at(-1)?.d).toStrictEqual({ id: GUILD.id });
});

test('answers a request for members by id, by name and for all', async () => {
  await using discord = await startBotSim();
  const client = await rawClient(discord);
  client.send(Identify, IDENTIFY);
  client.send(RequestGuildMembers, { guild_id: GUILD.id, user_ids: [OWNER.id, '1'], nonce: 'n' });
  client.send(RequestGuildMembers, { guild_id: GUILD.id, query: 'mik', limit: 5 });
  client.send(RequestGuildMembers, { guild_id: GUILD.id, query: '', limit: 0 });
  const chunks = () => client.heard.filter(({ t }) => t === 'GUILD_MEMBERS_CHUNK').map(({ d }) => d);
  await expect.poll(() => chunks().length).toBe(3);
  expect(chunks()).toMatchObject([
    { nonce: 'n', members: [{ user: { id: OWNER.id } }], not_found: ['1'], chunk_index: 0, chunk_count: 1 },
    { members: [{ user: { id: MEMBER.id } }] },
    { members: [{}, {}, {}] },
  ]);
});

test('replays exactly what was missed, in order', async () => {
  await using discord = await startBotSim();
  const first = await rawClient(discord);
  first.send(Identify, IDENTIFY);
  await expect.poll(first.events).toStrictEqual(['READY', 'GUILD_CREATE']);
  first.close(4200);
  await first.closed;
  const said = ['a', 'b', 'c'].map((text) => discord.people.sendMessage(MEMBER.id, CHANNEL.id, text).id);
  const second = await rawClient(discord);
  const [session] = discord.gateway.sessions();
  second.send(Resume, { token: BOT_TOKEN, session_id: session?.id, seq: 3 });
  await expect.poll(second.events).toStrictEqual(['MESSAGE_CREATE', 'MESSAGE_CREATE', 'RESUMED']);
  expect(second.heard.slice(1)).toMatchObject([{ s: 4, d: { id: said[1] } }, { s: 5, d: { id: said[2] } }, { s: 6 }]);
});

test.each([
  ['after a clean close', { close: 1000, missed: 0, seq: 2 }],
  ['after more than is kept', { close: 4200, missed: 1_001, seq: 2 }],
  ['ahead of the session', { close: 4200, missed: 0, seq: 3 }],
])('does not resume %s', async (_name, { close, missed, seq }) => {
  await using discord = await startBotSim();
  const first = await rawClient(discord);
  first.send(Identify, IDENTIFY);
  await expect.poll(first.events).toStrictEqual(['READY', 'GUILD_CREATE']);
  const [session] = discord.gateway.sessions();
  first.close(close);
  await expect.poll(() => discord.gateway.sessions()[0]?.connected ?? false).toBe(false);
  for (let n = 0; n < missed; n += 1) discord.people.sendMessage(MEMBER.id, CHANNEL.id, 'x');
  const second = await rawClient(discord);
  second.send(Resume, { token: BOT_TOKEN, session_id: session?.id, seq });
  await expect.poll(() => second.heard.at(-1)).toMatchObject({ op: InvalidSession, d: false });
});
