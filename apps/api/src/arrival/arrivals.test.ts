import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { SYSTEM_CLOCK } from '../clock.ts';
import type { Feed } from '../feed/feed.ts';
import { Arrivals } from './arrivals.ts';

const GUILD = '197038439483310086';

/** The watchers of a process beside another one at which a watcher connects whenever the table is read, for a while. */
function besideConnecting(connections: number) {
  let reads = 0;
  const nothing = async () => {};
  const arrivals = new Arrivals({
    feed: {} as Feed,
    store: {
      async readWatchers() {
        await setImmediate();
        reads += 1;
        return [];
      },
      watchersVersion: async () => Math.min(reads, connections) + 1,
      saveWatchers: nothing,
      deleteWatchers: nothing,
      broadcast: nothing,
      canResume: async () => false,
      readErasure: async () => null,
    },
    clock: SYSTEM_CLOCK,
    onArrival: () => {},
    onError: () => {},
  });
  return { arrivals, reads: () => reads, [Symbol.asyncDispose]: () => arrivals.close() };
}

test('a wait ends when its time is over, however many watchers connect to another process meanwhile', async () => {
  await using process = besideConnecting(1_000);
  expect(await process.arrivals.wait(GUILD, 1, { waitMs: 0 })).toMatchObject({ revision: 1, state: 'away' });
  expect(process.reads()).toBe(1);
});
