import { printedSeed, repetitions, startTestPostgres } from '@guild-settings/testing';
import fc from 'fast-check';
import { afterAll, expect, test, vi } from 'vitest';
import { HISTORY_START, HISTORY_STEPS } from '../src/testing/history-steps.ts';
import { startHistoryWorld } from '../src/testing/history-world.ts';
import { migratedDatabase } from '../src/testing/postgres-resource.ts';

const STEPS = repetitions(100, 10_000);
/** Steps between two comparisons of everything. */
const CHECK_EVERY = 25;

// The long version takes longer than the limit that ends a test which hangs.
vi.setConfig({ testTimeout: repetitions(300_000, 7_200_000) });

const server = await startTestPostgres();
afterAll(() => server[Symbol.asyncDispose]());

const STORES = {
  SQLite: async () => ({}),
  PostgreSQL: async () => ({ DATABASE_URL: await migratedDatabase(server) }),
};

test.each(Object.entries(STORES))(
  `${STEPS} random updates, switches, undos, restores, imports, erasures, prunes and restarts on %s: history, records, time travel and watchers equal the model`,
  async (store, databaseOf) => {
    const seed = printedSeed(`history-model on ${store}`);
    await using world = await startHistoryWorld(await databaseOf());
    const steps = [...HISTORY_START, ...fc.sample(HISTORY_STEPS, { seed, numRuns: STEPS })];
    for (const [index, step] of steps.entries()) {
      await world.run(step);
      if (index % CHECK_EVERY === CHECK_EVERY - 1) await world.compare();
    }
    await world.compare();
    console.log(`${store}: ${JSON.stringify(world.counts)}`);
    expect(world.counts).toMatchObject({
      'undo 200': expect.any(Number),
      'undo 409': expect.any(Number),
      'restore 200': expect.any(Number),
    });
  },
);
