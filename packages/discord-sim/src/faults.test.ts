import { waitUntil } from '@guild-settings/testing';
import { beforeEach, expect, vi } from 'vitest';
import { FaultPlan } from './faults.ts';
import { exemptCalls } from './testing/checked-calls.ts';
import { get, memberToken, startPopulatedSim, test } from './testing/test-sim.ts';

const HANG = { kind: 'hang' } as const;
const DOWN = { kind: 'status', status: 503 } as const;

test('the longest path that a call begins with decides, and a fault without a path hits every other call', () => {
  const plan = new FaultPlan();
  plan.set(HANG, { path: '/users/@me/guilds' });
  expect([plan.take('/users/@me/guilds/1'), plan.take('/users/@me')]).toStrictEqual([HANG, null]);
  plan.set(DOWN);
  expect([plan.take('/users/@me/guilds'), plan.take('/users/@me'), plan.take('/')]).toStrictEqual([HANG, DOWN, DOWN]);
});

test('a fault is gone after its times', () => {
  const plan = new FaultPlan();
  plan.set(DOWN, { times: 2 });
  expect([plan.take('/a'), plan.take('/b'), plan.take('/c')]).toStrictEqual([DOWN, DOWN, null]);
});

test('setting null takes back the fault of that path alone, clearing takes back every fault', () => {
  const plan = new FaultPlan();
  plan.set(HANG, { path: '/a' });
  plan.set(DOWN, { path: '/b' });
  plan.set(null, { path: '/a' });
  expect([plan.take('/a'), plan.take('/b')]).toStrictEqual([null, DOWN]);
  plan.set(DOWN);
  plan.clear();
  expect([plan.take('/a'), plan.take('/b')]).toStrictEqual([null, null]);
});

const GUILDS = '/users/@me/guilds';

beforeEach(() => exemptCalls('Faults replace the responses.'));

test('latency delays hundreds of calls side by side without a warning', async ({ discord }) => {
  const warned = vi.fn();
  process.on('warning', warned);
  discord.faults.set({ kind: 'latency', ms: 30 });
  await Promise.all(Array.from({ length: 200 }, () => get(discord, GUILDS)));
  process.off('warning', warned);
  expect(warned).not.toHaveBeenCalled();
});

test('rate-limit responds with 429 for one route, or for every route', async () => {
  await using discord = await startPopulatedSim({ clock: () => 1_700_000_000_000 });
  discord.faults.set({ kind: 'rate-limit', retryAfterSeconds: 1.25 });
  const response = await get(discord, GUILDS, memberToken(discord));
  expect(response.status).toBe(429);
  expect(response.headers.get('retry-after')).toBe('2');
  expect(response.headers.get('x-ratelimit-scope')).toBe('user');
  expect(response.headers.get('x-ratelimit-reset')).toBe('1700000001.250');
  expect(response.headers.get('x-ratelimit-reset-after')).toBe('1.250');
  expect(await response.json()).toMatchObject({ retry_after: 1.25, global: false });
  discord.faults.set({ kind: 'rate-limit', retryAfterSeconds: 30, global: true });
  const everywhere = await get(discord, GUILDS, memberToken(discord));
  expect(everywhere.headers.get('x-ratelimit-global')).toBe('true');
  expect(everywhere.headers.get('x-ratelimit-scope')).toBe('global');
  expect(everywhere.headers.has('x-ratelimit-bucket')).toBe(false);
  expect(await everywhere.json()).toMatchObject({ retry_after: 30, global: true });
});

test('html responds with a page, with status 502 or another one', async ({ discord }) => {
  for (const status of [502, 200]) {
    discord.faults.set(status === 502 ? { kind: 'html' } : { kind: 'html', status });
    const response = await get(discord, GUILDS, memberToken(discord));
    expect([response.status, response.headers.get('content-type')]).toStrictEqual([status, 'text/html; charset=UTF-8']);
    expect(response.headers.has('x-ratelimit-limit')).toBe(false);
    expect(await response.text()).toMatch(/^<!DOCTYPE html>/);
  }
});

test('close-socket gives no answer', async ({ discord }) => {
  discord.faults.set({ kind: 'close-socket' });
  await expect(get(discord, GUILDS, memberToken(discord))).rejects.toThrow('fetch failed');
  expect(discord.calls.list()).toMatchObject([{ path: GUILDS, status: null }]);
});

test('hang never answers and leaves when the caller does', async ({ discord }) => {
  discord.faults.set({ kind: 'hang' });
  const caller = new AbortController();
  const hanging = fetch(`${discord.apiUrl}${GUILDS}`, { signal: caller.signal });
  await waitUntil(() => discord.calls.count() === 1);
  caller.abort();
  await expect(hanging).rejects.toThrow('aborted');
  expect(discord.calls.list()).toMatchObject([{ status: null }]);
});
