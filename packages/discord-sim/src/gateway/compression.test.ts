import { constants, inflateSync } from 'node:zlib';
import { GatewayOpcodes } from 'discord-api-types/v10';
import { Decompress } from 'fzstd';
import { expect } from 'vitest';
import { BOT_ID, CHANNEL, startBotSim, test } from '../testing/bot-sim.ts';
import { MEMBER } from '../testing/populated-sim.ts';
import { IDENTIFY, rawClient } from '../testing/raw-client.ts';
import { zlibStreamEncoder, zstdStreamEncoder } from './compression.ts';

const { Hello, Identify } = GatewayOpcodes;

/** Reads messages with one inflate context: each is what it adds to the stream. */
function inflated(messages: readonly Buffer[]): unknown[] {
  let read = 0;
  return messages.map((_, index) => {
    const stream = Buffer.concat(messages.slice(0, index + 1));
    const text = inflateSync(stream, { finishFlush: constants.Z_SYNC_FLUSH });
    const frame: unknown = JSON.parse(String(text.subarray(read)));
    read = text.length;
    return frame;
  });
}

/** Reads messages with one zstd context. */
function unzstd(messages: readonly Buffer[]): unknown[] {
  let chunks: Uint8Array[] = [];
  const context = new Decompress((chunk) => chunks.push(chunk));
  return messages.map((message) => {
    chunks = [];
    context.push(new Uint8Array(message));
    return JSON.parse(String(Buffer.concat(chunks)));
  });
}

test.each([
  ['zlib-stream', inflated],
  ['zstd-stream', unzstd],
])('%s: all frames of a connection are one stream', async (compress, read) => {
  await using discord = await startBotSim();
  const client = await rawClient(discord, `/?v=10&encoding=json&compress=${compress}`);
  client.send(Identify, { ...IDENTIFY, compress: true });
  await expect.poll(() => client.binary.length).toBe(3);
  discord.people.sendMessage(MEMBER.id, CHANNEL.id, `<@${BOT_ID}> \u{1f600}`);
  await expect.poll(() => client.binary.length).toBe(4);
  expect(client.heard).toStrictEqual([]);
  const frames = read(client.binary);
  expect(frames).toMatchObject([
    { op: Hello },
    { t: 'READY' },
    { t: 'GUILD_CREATE' },
    { t: 'MESSAGE_CREATE', d: { content: `<@${BOT_ID}> \u{1f600}` } },
  ]);
});

test('zlib-stream: each message ends where the client has to look for its end', () => {
  const encode = zlibStreamEncoder();
  for (const frame of ['{"op":10}', '{"op":11}']) {
    expect(Buffer.from(encode(frame)).subarray(-4)).toStrictEqual(Buffer.from([0, 0, 0xff, 0xff]));
  }
});

test('zstd-stream: a frame can be longer than a block', () => {
  const encode = zstdStreamEncoder();
  const frames = ['a', '\u{1f600}'.repeat(40_000), 'b'.repeat(128 * 1_024), ''].map((content) => ({ content }));
  const messages = frames.map((frame) => Buffer.from(encode(JSON.stringify(frame))));
  expect(unzstd(messages)).toStrictEqual(frames);
});

test('compresses long frames by themselves for a client that asks for it in IDENTIFY', async ({ discord }) => {
  const client = await rawClient(discord);
  client.send(Identify, { ...IDENTIFY, compress: true });
  await expect.poll(() => client.binary.length).toBe(1);
  expect(client.heard).toMatchObject([{ op: Hello }, { t: 'READY' }]);
  expect(JSON.parse(String(inflateSync(client.binary[0] ?? '')))).toMatchObject({ t: 'GUILD_CREATE', s: 2 });
});
