import { once } from 'node:events';
import { METHODS } from 'node:http';
import { startApi, type TestApi } from '@guild-settings/testing/api';
import { IDS } from '@guild-settings/testing/people';
import { connectTo } from '@guild-settings/testing/raw-http';
import { describe, expect, test } from 'vitest';

const ROUTES = [
  `/guilds/${IDS.guild}`,
  '/trpc/guilds.get',
  '/trpc/guilds.watch',
  '/healthz',
  '/readyz',
  '/metrics',
  '/openapi.json',
  '/docs',
  '/problems/internal',
  '/nowhere',
];

const metricsOf = async (api: TestApi) => (await api.send('/metrics')).text();

async function count(api: TestApi, pattern: RegExp): Promise<number> {
  return Number(pattern.exec(await metricsOf(api))?.[1] ?? 0);
}

async function attempt(api: TestApi, line: string): Promise<void> {
  const socket = await connectTo(api.url);
  socket.end(`${line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  await once(socket.resume(), 'close');
}

describe('what a client without credentials causes', () => {
  test('is a bounded number of time series, whatever methods and addresses it tries', async () => {
    await using api = await startApi({ LOG_LEVEL: 'error' });
    const methods = METHODS.filter((method) => method !== 'CONNECT');
    const attempts = methods.flatMap((method) => ROUTES.map((route) => `${method} ${route}`));
    for (let start = 0; start < attempts.length; start += 40) {
      const some = attempts.slice(start, start + 40);
      await Promise.all(some.map((line) => attempt(api, line)));
    }
    const text = await metricsOf(api);
    expect(text.length).toBeLessThan(100_000);
    const series = text.match(/^http_request_duration_seconds_count\{.*\}/gm) ?? [];
    expect(series.length).toBeLessThanOrEqual(4 * ROUTES.length);
    expect(series.filter((line) => line.includes('405'))).toEqual([
      'http_request_duration_seconds_count{method="other",route="none",status="405"}',
    ]);
  });

  test('is a line of less than a kilobyte, however long its address is', async () => {
    await using api = await startApi({ LOG_LEVEL: 'trace' });
    await api.send(`/${'x'.repeat(13_000)}`);
    await api.send(`/trpc/${'x'.repeat(13_000)}`);
    await api.send(`/guilds/${'1'.repeat(13_000)}`);
    await api.send(`/guilds/${IDS.guild}`, { headers: { 'x-request-id': 'x'.repeat(13_000) } });
    const lines = api.log().trimEnd().split('\n');
    expect(lines.filter((line) => line.includes('"request"'))).toHaveLength(4);
    for (const line of lines) expect(line.length).toBeLessThan(1_024);
  });

  test.each([
    [400, 'GET / HTTP/1.1\r\nbroken header\r\n\r\n'],
    [431, `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`],
    [408, 'GET / HTTP/1.1\r\nHost: x\r\n'],
  ])('is counted and logged when it is answered with %i and was no readable request', async (status, text) => {
    await using api = await startApi({}, { timeouts: { headers: 200, request: 400 } });
    const socket = await connectTo(api.url);
    socket.write(text);
    const chunks: Buffer[] = [];
    for await (const chunk of socket) chunks.push(chunk as Buffer);
    expect(Buffer.concat(chunks).toString()).toContain(`HTTP/1.1 ${status} `);
    expect(await count(api, new RegExp(`^http_unreadable_requests_total\\{status="${status}"\\} (\\d+)`, 'm'))).toBe(1);
    expect(api.log()).toMatch(new RegExp(`"status":${status},"msg":"unreadable request"`));
  });
});
