import fc from 'fast-check';
import { expect } from 'vitest';
import { printedSeed, repetitions } from '../random.ts';
import { DECLARED_START, DECLARED_STEPS, HISTORY_START, HISTORY_STEPS } from './steps.ts';
import { ModelWorld } from './world.ts';

/** The time limit of a test. The long version exceeds the limit that ends a hanging test. */
export const TIMEOUT_MS = repetitions(600_000, 7_200_000);

const STEPS = repetitions(100, 10_000);
const DECLARED = repetitions(25, 5_000);

/** Steps between two comparisons of everything. */
const CHECK_EVERY = 25;

/** The outcomes of a few in a hundred steps, which a short run may lack. */
const RARE = ['undo 409', 'restore 200', 'import 200'];

export const TITLES = {
  history: `${STEPS} random updates, switches, undos, restores, imports, erasures, prunes and restarts: history, records, time travel and watchers equal the model`,
  declared: `${DECLARED} random writes under declarations that change, by processes with different ones: records, history, time travel, exports and streams equal the model`,
};

/** Runs the random steps of a history on a store, and compares everything with the model. */
export async function expectHistoryOfModel(store: string, env: NodeJS.ProcessEnv): Promise<void> {
  const seed = printedSeed(`history-model on ${store}`);
  await using world = await ModelWorld.start(env, false);
  for (const [index, step] of [...HISTORY_START, ...fc.sample(HISTORY_STEPS, { seed, numRuns: STEPS })].entries()) {
    await world.run(step);
    if (index % CHECK_EVERY === CHECK_EVERY - 1) await world.compare();
  }
  await world.compare();
  expectOutcomes(store, world, ['undo 200', 'undo 409', 'restore 200']);
}

/** Makes random changes with changing declarations on a store, and compares everything with the model. */
export async function expectDeclaredOfModel(store: string, env: NodeJS.ProcessEnv): Promise<void> {
  const seed = printedSeed(`declared-model on ${store}`);
  await using world = await ModelWorld.start(env, true);
  for (const step of [...DECLARED_START, ...fc.sample(DECLARED_STEPS, { seed, numRuns: DECLARED })])
    await world.run(step);
  const usual = ['update 200', 'update 403', 'undo 200', 'refused start 0'];
  expectOutcomes(store, world, DECLARED > 100 ? [...usual, ...RARE] : usual);
}

function expectOutcomes(store: string, { counts }: ModelWorld, outcomes: readonly string[]): void {
  console.log(`${store}: ${JSON.stringify(counts)}`);
  for (const outcome of outcomes) expect(counts).toHaveProperty([outcome]);
}
