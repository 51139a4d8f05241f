import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { EXPORT_SCHEMA_PATH, PROBLEM_SLUGS } from '@guild-settings/contract';
import { startApi, type TestApi, test } from '@guild-settings/testing/api';
import { type ProcessWorld, processWorld } from '@guild-settings/testing/api-programs';
import { loggedIn, PAGE_ENV } from '@guild-settings/testing/page-visitor';
import { IDS } from '@guild-settings/testing/people';
import { connectTo, statusOf } from '@guild-settings/testing/raw-http';
import { describe, expect } from 'vitest';

const STATIC = ['/openapi.json', EXPORT_SCHEMA_PATH, '/docs', '/docs/js/scalar.js', `/problems/${PROBLEM_SLUGS[0]}`];
const PUBLIC = [
  ...STATIC,
  '/',
  '/healthz',
  '/readyz',
  '/metrics',
  '/nowhere',
  `/guilds/${IDS.guild}`,
  '/trpc/guilds.get',
];

/** Values of Accept-Encoding that name no coding of this service, forbid it, or prefer none. */
const NOT_COMPRESSED = ['*', '*, gzip;q=0', 'identity;q=1, gzip;q=0.5', 'gzip;q=0', 'GZIP; Q=0.000', 'br', 'identity'];

/** Compressing the script for each request would take ten times as long. */
const LIMIT_MS = 25;
const READERS = 300;
const TURNS = 5;

describe('content that anybody may ask for', () => {
  test('takes less than 25 ms of the processor at each request, whichever it is', async () => {
    await using api = await processWorld();
    const spent: Record<string, number> = {};
    for (const path of PUBLIC) {
      for (const method of ['GET', 'HEAD']) {
        const ask = async () => void (await (await fetch(`${api.url}${path}`, { method })).arrayBuffer());
        // The first request may prepare the response for the others.
        await ask();
        const before = await processorSeconds(api);
        for (let turn = 0; turn < TURNS; turn += 1) await ask();
        spent[`${method} ${path}`] = (1_000 * ((await processorSeconds(api)) - before)) / TURNS;
      }
    }
    expect(Object.entries(spent).filter(([, milliseconds]) => milliseconds >= LIMIT_MS)).toEqual([]);
  });

  test.each(STATIC)('%s is compressed, has an entity tag, and is not sent to who has it', async (path) => {
    await using api = await startApi();
    const plain = await api.send(path, { headers: { 'accept-encoding': 'identity' } });
    const zipped = await rawBody(api, path, 'Accept-Encoding: gzip, br\r\n');
    expect(zipped.head).toMatch(/content-encoding: gzip/i);
    const [one, other] = [Buffer.from(await plain.arrayBuffer()), gunzipSync(zipped.body)];
    expect(other.equals(one)).toBe(true);
    const etag = plain.headers.get('etag') ?? '';
    for (const known of [etag, `W/${etag}`, `"x", ${etag}`]) {
      const headers = { 'accept-encoding': 'identity', 'if-none-match': known };
      const again = await api.send(path, { headers });
      expect([again.status, again.headers.get('etag'), await again.text()]).toEqual([304, etag, '']);
    }
    expect((await api.send(path, { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
  });

  test.each(STATIC)('%s is not compressed for a client that has not asked for it', async (path) => {
    await using api = await startApi();
    for (const accepted of [...NOT_COMPRESSED, undefined]) {
      const header = accepted === undefined ? '' : `Accept-Encoding: ${accepted}\r\n`;
      const { head, body } = await rawBody(api, path, header);
      expect([accepted, head]).toMatchObject([accepted, expect.not.stringMatching(/content-encoding/i)]);
      expect(body.length).toBe(Number(/content-length: (\d+)/i.exec(head)?.[1]));
      expect(head).toMatch(/vary: .*Accept-Encoding/);
    }
  });

  test('names the hash of its script, which caches may keep for good', async ({ api }) => {
    const html = await (await api.send('/docs')).text();
    const [, address] = /(js\/scalar\.js\?v=[\w-]+)/.exec(html) ?? [];
    const script = await api.send(`/docs/${address}`);
    expect(script.headers.get('cache-control')).toContain('immutable');
    expect(script.headers.get('etag')).toContain(address?.split('=')[1]);
  });

  test('is held once in memory for 300 readers that do not read, while others are served', async () => {
    await using api = await processWorld();
    await fetch(`${api.url}/docs/js/scalar.js`);
    const readers = await Promise.all(Array.from({ length: READERS }, () => connectTo(api.url)));
    for (const reader of readers) {
      reader.pause();
      reader.write('GET /docs/js/scalar.js HTTP/1.1\r\nHost: x\r\nAccept-Encoding: identity\r\n\r\n');
    }
    const busyBefore = await processorSeconds(api);
    expect((await fetch(`${api.url}/healthz`)).status).toBe(200);
    // CPU time: compressing 300 copies of the script each time takes fifteen seconds.
    expect((await processorSeconds(api)) - busyBefore).toBeLessThan(5);
    expect(await metric(api, 'process_resident_memory_bytes')).toBeLessThan(300 * 1024 * 1024);
    for (const reader of readers) reader.destroy();
  });

  test.each(['', '\r\n'])('ends a response whose reader has stopped reading, and sends %j meanwhile', async (sent) => {
    await using api = await startApi({}, { timeouts: { write: 1_000 } });
    const connected = once(api.app.server, 'connection');
    const reader = await connectTo(api.url);
    const [connection] = (await connected) as [Socket];
    reader.pause();
    reader.write('GET /docs/js/scalar.js HTTP/1.1\r\nHost: x\r\nAccept-Encoding: identity\r\n\r\n');
    const timer = setInterval(() => reader.write(sent), 50);
    await once(connection, 'close');
    clearInterval(timer);
    reader.destroy();
  });

  test.each(['a watch', 'the stream of a session'])('ends %s whose reader has stopped reading', async (what) => {
    await using api = await startApi({ ...PAGE_ENV, LOG_LEVEL: 'error' }, { timeouts: { write: 1_000 } });
    const { cookie, person } = await loggedIn(api);
    const follow = `guilds.follow?input=${encodeURIComponent(JSON.stringify({ guild: IDS.guild }))}&requested-for=${person}`;
    const request =
      what === 'a watch'
        ? `GET /trpc/guilds.watch HTTP/1.1\r\nAuthorization: Bearer ${api.tokens.application}`
        : `GET /trpc/${follow} HTTP/1.1\r\nSec-Fetch-Site: same-origin\r\nCookie: ${cookie}`;
    const connected = once(api.app.server, 'connection');
    const reader = await connectTo(api.url);
    const [watching] = (await connected) as [Socket];
    reader.pause();
    reader.write(`${request}\r\nHost: x\r\n\r\n`);
    const names = Array.from({ length: 64 }, (_, index) => `${index}`.padEnd(64, '漢'));
    const headers = { authorization: `Bearer ${api.tokens.manager}`, 'content-type': 'application/json' };
    for (let change = 1; !watching.destroyed; change += 1) {
      const body = JSON.stringify({ enabledFeatures: [`${change}`, ...names.slice(1)] });
      expect(await statusOf(`${api.url}/guilds/${IDS.guild}`, { method: 'PATCH', headers }, body)).toBe(200);
      // The buffers between the two are full: the remaining time is for reading.
      if (watching.writableLength > 0) await setTimeout(50);
    }
    reader.destroy();
  });
});

async function processorSeconds(api: ProcessWorld): Promise<number> {
  return metric(api, 'process_cpu_seconds_total');
}

async function metric({ url, tokens }: ProcessWorld, name: string): Promise<number> {
  // The readers have used up the bytes for strangers at this address.
  const headers = { authorization: `Bearer ${tokens.application}` };
  const text = await (await fetch(`${url}/metrics`, { headers })).text();
  return Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1]);
}

async function rawBody(api: TestApi, path: string, headers: string): Promise<{ head: string; body: Buffer }> {
  const socket = await connectTo(api.url);
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}\r\n`);
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  const all = Buffer.concat(chunks);
  const end = all.indexOf('\r\n\r\n');
  return { head: all.subarray(0, end).toString('latin1'), body: all.subarray(end + 4) };
}
