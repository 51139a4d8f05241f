import type { Cursor } from '@guild-settings/contract';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Acknowledged, Acknowledger } from './acknowledger.ts';

const at = (revision: number): Cursor => ({ epoch: 'one', revision });

beforeEach(() => {
  vi.useFakeTimers();
});

const closing: AbortController[] = [];
afterEach(() => {
  for (const one of closing.splice(0)) one.abort();
});

/** An acknowledger, and the requests that the service receives from it, with their times. */
function start(respond: (acknowledged: Acknowledged) => Promise<number | null> = async () => 3) {
  const aborter = new AbortController();
  closing.push(aborter);
  const received: (Acknowledged & { readonly atMs: number })[] = [];
  const startedAt = Date.now();
  const acknowledger = new Acknowledger({
    id: 'a',
    acknowledge: (acknowledged) => {
      received.push({ ...acknowledged, atMs: Date.now() - startedAt });
      return respond(acknowledged);
    },
    signal: aborter.signal,
  });
  return { acknowledger, received };
}

describe('acknowledging', () => {
  test('the first change is acknowledged at once, gives its latency, and nothing is sent while idle', async () => {
    const { acknowledger, received } = start();
    acknowledger.has(at(1), []);
    await vi.advanceTimersByTimeAsync(0);
    expect(received).toEqual([{ id: 'a', run: acknowledger.run, cursor: at(1), rejected: [], atMs: 0 }]);
    expect(acknowledger.latencyMs).toBe(3);
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect([received.length, vi.getTimerCount()]).toEqual([1, 0]);
  });

  test('changes that were received together are acknowledged together', async () => {
    const { acknowledger, received } = start();
    for (const revision of [1, 2, 3]) acknowledger.has(at(revision), []);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(received.map(({ cursor }) => cursor?.revision)).toEqual([3]);
  });

  test('two calls are at least 250 ms apart', async () => {
    const { acknowledger, received } = start();
    for (let revision = 1; revision <= 3_000; revision += 1) {
      acknowledger.has(at(revision), []);
      await vi.advanceTimersByTimeAsync(1);
    }
    await vi.advanceTimersByTimeAsync(1_000);
    const pauses = received.slice(1).map(({ atMs }, index) => atMs - (received[index]?.atMs ?? 0));
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(250);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(251);
    expect(received.at(-1)?.cursor).toEqual(at(3_000));
  });

  test('a failed call is repeated with the newest cursor, ever more rarely', async () => {
    let isDown = true;
    const { acknowledger, received } = start(async () => {
      if (isDown) throw new Error('unavailable');
      return null;
    });
    acknowledger.has(at(1), []);
    await vi.advanceTimersByTimeAsync(300_000);
    expect(received.length).toBeLessThan(20);
    acknowledger.has(at(2), []);
    isDown = false;
    await vi.advanceTimersByTimeAsync(30_000);
    expect(received.at(-1)?.cursor).toEqual(at(2));
    const calls = received.length;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(received).toHaveLength(calls);
  });

  test('a rejected record is named with a reason that the service accepts', async () => {
    const { acknowledger, received } = start();
    const reason = `prefix:\nexpected a string${'!'.repeat(300)}`;
    acknowledger.has(at(5), [
      { guild: '197038439483310086', revision: 4, reason },
      { guild: undefined, revision: 5, reason },
    ]);
    await vi.advanceTimersByTimeAsync(0);
    const [{ rejected } = { rejected: [] }] = received;
    expect(rejected).toHaveLength(1);
    expect(rejected[0]?.reason).toMatch(/^prefix: expected a string!+$/);
    expect(rejected[0]?.reason).toHaveLength(200);
  });

  test('nothing from a rejected record on is acknowledged whose guild is unknown', async () => {
    const { acknowledger, received } = start();
    acknowledger.has(at(9), [
      { guild: undefined, revision: 5, reason: 'x' },
      { guild: '197038439483310086', revision: 7, reason: 'x' },
      { guild: '197038439483310087', revision: 4, reason: 'x' },
    ]);
    await vi.advanceTimersByTimeAsync(0);
    const rejected = [{ guild: '197038439483310087', revision: 4, reason: 'x' }];
    expect(received).toMatchObject([{ cursor: at(4), rejected }]);
  });

  test('nothing from the first rejected record on is acknowledged that can no longer be named', async () => {
    const { acknowledger, received } = start();
    const reason = 'x';
    // The file keeps the order in which guilds were first rejected.
    const records = Array.from({ length: 150 }, (_, index) => ({
      guild: String(197_038_439_483_310_086n + BigInt(index)),
      revision: 500 - index,
      reason,
    }));
    acknowledger.has(at(1_000), records.slice(0, 100));
    await vi.advanceTimersByTimeAsync(0);
    expect(received.map(({ cursor, rejected }) => [cursor?.revision, rejected.length])).toEqual([[1_000, 100]]);
    acknowledger.has(at(1_000), records);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(received.at(-1)?.cursor).toEqual(at(450));
    expect(received.at(-1)?.rejected).toHaveLength(100);
    expect(received.at(-1)?.rejected.every(({ revision }) => revision <= 450)).toBe(true);
  });
});

describe('taking leave', () => {
  const rejected = [{ guild: '197038439483310087', revision: 4, reason: 'x' }];

  test('names the run, and has what is not acknowledged yet', async () => {
    const { acknowledger, received } = start();
    acknowledger.has(at(1), []);
    await vi.advanceTimersByTimeAsync(0);
    acknowledger.has(at(5), rejected);
    await acknowledger.leave();
    const { run } = acknowledger;
    expect(received.at(-1)).toEqual({ id: 'a', run, cursor: at(5), rejected, leaves: true, atMs: 0 });
    expect(start().acknowledger.run).not.toBe(run);
  });

  test('is possible without any change', async () => {
    const { acknowledger, received } = start();
    await acknowledger.leave();
    expect(received).toEqual([{ id: 'a', run: acknowledger.run, rejected: [], leaves: true, atMs: 0 }]);
  });

  test.each<[string, () => Promise<null>]>([
    ['fails', () => Promise.reject(new Error('Expected a cursor'))],
    ['has no response', () => new Promise(() => {})],
  ])('ends within a second where the call %s', async (_, respond) => {
    const { acknowledger, received } = start(respond);
    let hasEnded = false;
    void acknowledger.leave().then(() => {
      hasEnded = true;
    });
    await vi.advanceTimersByTimeAsync(1_000);
    expect([hasEnded, vi.getTimerCount(), received.length]).toEqual([true, 0, 1]);
  });
});
