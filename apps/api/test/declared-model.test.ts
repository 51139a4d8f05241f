import { printedSeed, repetitions, startTestPostgres } from '@guild-settings/testing';
import fc from 'fast-check';
import { afterAll, expect, test, vi } from 'vitest';
import { DECLARED_START, DECLARED_STEPS } from '../src/testing/declared-steps.ts';
import { DeclaredWorld } from '../src/testing/declared-world.ts';
import { migratedDatabase } from '../src/testing/postgres-resource.ts';

const STEPS = repetitions(100, 5_000);

/** The outcomes of some steps in a hundred, of which a short run may lack one. */
const RARE = ['undo 409', 'restore 200', 'import 200'];

// The long version takes longer than the limit that ends a test which hangs.
vi.setConfig({ testTimeout: repetitions(600_000, 7_200_000) });

const server = await startTestPostgres();
afterAll(() => server[Symbol.asyncDispose]());

const STORES = {
  SQLite: async () => ({}),
  PostgreSQL: async () => ({ DATABASE_URL: await migratedDatabase(server) }),
};

test.each(Object.entries(STORES))(
  `${STEPS} random writes under declarations that change, by processes with different ones, on %s: records, history, time travel, exports and streams equal the model`,
  async (store, databaseOf) => {
    const seed = printedSeed(`declared-model on ${store}`);
    await using world = await DeclaredWorld.start(await databaseOf());
    const steps = fc.sample(DECLARED_STEPS, { seed, numRuns: STEPS });
    for (const step of [...DECLARED_START, ...steps]) await world.run(step);
    console.log(`${store}: ${JSON.stringify(world.counts)}`);
    expect(world.counts).toMatchObject({
      'patch 200': expect.any(Number),
      'patch 403': expect.any(Number),
      'undo 200': expect.any(Number),
      'refused start 0': expect.any(Number),
    });
    if (STEPS > 100) for (const outcome of RARE) expect(world.counts).toHaveProperty([outcome]);
  },
);
