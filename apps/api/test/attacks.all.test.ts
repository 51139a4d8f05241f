import { setTimeout } from 'node:timers/promises';
import type { Declaration } from '@guild-settings/contract';
import { waitUntil } from '@guild-settings/testing';
import { settingsFile } from '@guild-settings/testing/api';
import { processWorld } from '@guild-settings/testing/api-programs';
import { loggedIn, PAGE_ENV } from '@guild-settings/testing/page-visitor';
import { IDS } from '@guild-settings/testing/people';
import { connectTo } from '@guild-settings/testing/raw-http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const { guild } = IDS;
const CHANGES = 150;
const GUILDS = 200;
const ATTACK_MS = 2_000;

/** The heap of a small machine, and the memory that the process may use with its code and buffers. */
const HEAP_MB = 256;
const MAX_RESIDENT_MB = 2 * HEAP_MB;

/** The longest wait of a health check, on a machine that is also busy with the attack. */
const MAX_WAIT_MS = 2_000;

/** Two hundred settings, whose records have 46 KB. */
const NAMES = Array.from({ length: 200 }, (_, index) => `text${index}`);
const DECLARATION: Declaration = {
  settings: Object.fromEntries(
    NAMES.map((name) => [name, { kind: 'text', max: 56, label: { 'en-US': name.repeat(6) } }]),
  ),
};
const valuesOf = (mark: number) => Object.fromEntries(NAMES.map((name) => [name, `${mark} `.padEnd(54, '語')]));

const file = settingsFile(DECLARATION);
const api = await processWorld({
  ...PAGE_ENV,
  NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}`,
  SETTINGS_FILE: file.path,
  CHANGE_LOG_BYTES_PER_DAY: '0',
});
const { application, manager, owner, admin, otherManager } = api.tokens;

const input = encodeURIComponent(JSON.stringify({ guild, limit: 100 }));
const path = `/trpc/guilds.history?input=${input}&requested-for=${IDS.manager}`;
// Logs in before the address of the tests has sent too much without credentials.
const browser = await loggedIn(api);
expect((await browser.visit(path)).status).toBe(200);

beforeAll(async () => {
  for (let change = 0; change < CHANGES; change += 1) await write(guild, change);
  for (let one = 0; one < GUILDS; one += 1) await write(String(300_000_000_000_000_000n + BigInt(one)), one);
});
afterAll(async () => {
  await api[Symbol.asyncDispose]();
  file[Symbol.dispose]();
});

describe(`a process with a heap of ${HEAP_MB} MB lives, and others are served, while a person`, () => {
  test('reads no response of a long history on 250 connections', async () => {
    await attack(250, requestOf(`/guilds/${guild}/history?limit=100`, manager));
  });

  test('reads no response to 30 batches of ten', async () => {
    const inputs = Object.fromEntries(Array.from({ length: 10 }, (_, call) => [call, { guild, limit: 100 }]));
    const query = `batch=1&input=${encodeURIComponent(JSON.stringify(inputs))}`;
    await attack(30, requestOf(`/trpc/${Array(10).fill('guilds.history').join()}?${query}`, owner));
  });

  test('previews an undo, reads the past, and previews a restore, 140 times at once', async () => {
    await attack(140, requestOf(`/guilds/${guild}/history/3/undo?dry_run=true`, otherManager, 'POST', ''));
    await attack(140, requestOf(`/guilds/${guild}?at=3`, admin));
    const body = JSON.stringify({ revision: 3 });
    await attack(140, requestOf(`/guilds/${guild}/restore?dry_run=true`, admin, 'POST', body));
  });

  test('changes everything from an old revision', async () => {
    const body = JSON.stringify({ custom: valuesOf(CHANGES) });
    await attack(1, requestOf(`/guilds/${guild}`, owner, 'PATCH', body, 'If-Match: "1"\r\n'));
  });
});

test.each(['settings.get', Array(10).fill('settings.get').join(), 'settings.get,guilds.get', 'features.list'])(
  'strangers who read no response to %s on 100 connections do not delay other requests',
  (procedures) => attack(100, `GET /trpc/${procedures}?batch=1 HTTP/1.1\r\nHost: x\r\n\r\n`),
);

test.each([
  ['logins', '/login', '*/*'],
  ['responses of Discord', '/callback?code=x&state=y', '*/*'],
  ['documents', '/', 'text/html'],
  ['files', 'FILE', '*/*'],
  ['sessions that are made up', '/session', '*/*'],
])(
  'strangers who send fifty requests for %s on each of 100 connections do not delay other requests',
  async (_, path, accept) => {
    const document = await fetch(`${api.url}/`, { headers: { accept: 'text/html', 'x-forwarded-for': '192.0.2.1' } });
    const [file = ''] = (await document.text()).match(/\/assets\/[^"]+\.js/) ?? [];
    const cookie = `__Host-session=${'A'.repeat(43)}`;
    const request = `GET ${path.replace('FILE', file)} HTTP/1.1\r\nHost: x\r\nAccept: ${accept}\r\nCookie: ${cookie}\r\n\r\n`;
    await attack(100, request.repeat(50), (socket) => socket.resume());
  },
);

test('16 watches from nothing, and 100 streams that are opened at once, do not delay other requests', async () => {
  const accepts = ['reset', 'guild', 'guilds', 'removed', 'live', 'bookmark', 'declaration'];
  const input = encodeURIComponent(JSON.stringify({ accepts }));
  await attack(16, requestOf(`/trpc/guilds.watch?input=${input}`, application), (socket) => socket.resume());
  await attack(100, requestOf(`/guilds/${guild}/events`, application));
});

test('a person who reads no response of a long history on 250 connections, with a session, does not either', async () => {
  // Earlier calls of the same person count for a minute.
  await waitUntil(async () => (await browser.visit(path)).status === 200, { timeoutMs: 90_000, intervalMs: 1_000 });
  const request = `GET ${path} HTTP/1.1\r\nHost: x\r\nSec-Fetch-Site: same-origin\r\nCookie: ${browser.cookie}\r\n\r\n`;
  await attack(250, request);
}, 150_000);

async function write(id: string, mark: number): Promise<void> {
  const response = await fetch(`${api.url}/guilds/${id}`, {
    method: 'PATCH',
    headers: {
      authorization: `Bearer ${application}`,
      'content-type': 'application/json',
      // The calls of one person are limited.
      'x-on-behalf-of': String(100_000_000_000_000_000n + BigInt(mark)),
    },
    body: JSON.stringify({ custom: valuesOf(mark) }),
  });
  expect(response.status).toBe(200);
  await response.arrayBuffer();
}

function requestOf(path: string, token: string, method = 'GET', body?: string, headers = ''): string {
  const content =
    body === undefined ? '' : `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`;
  return `${method} ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n${headers}${content}\r\n${body ?? ''}`;
}

/**
 * Sends a request on many connections without reading the responses, and observes the process from outside meanwhile.
 */
async function attack(
  connections: number,
  request: string,
  read: (socket: Awaited<ReturnType<typeof connectTo>>) => unknown = (socket) => socket.pause(),
): Promise<void> {
  const sockets = await Promise.all(Array.from({ length: connections }, () => connectTo(api.url)));
  for (const socket of sockets) {
    read(socket);
    socket.write(request);
  }
  const endAtMs = performance.now() + ATTACK_MS;
  const seen = { waitMs: 0, residentMb: 0 };
  do {
    const sentAtMs = performance.now();
    expect((await fetch(`${api.url}/healthz`)).status).toBe(200);
    seen.waitMs = Math.max(seen.waitMs, performance.now() - sentAtMs);
    const metrics = await (
      await fetch(`${api.url}/metrics`, { headers: { authorization: `Bearer ${application}` } })
    ).text();
    const resident = Number(/^process_resident_memory_bytes (\S+)/m.exec(metrics)?.[1]);
    seen.residentMb = Math.max(seen.residentMb, resident / 1024 / 1024);
    await setTimeout(20);
  } while (performance.now() < endAtMs);
  for (const socket of sockets) socket.destroy();
  console.log(request.slice(0, 60).split('\r')[0], seen);
  expect(seen.waitMs).toBeLessThan(MAX_WAIT_MS);
  expect(seen.residentMb).toBeLessThan(MAX_RESIDENT_MB);
}
