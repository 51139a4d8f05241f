import { expect, test } from 'vitest';
import { bench } from './bench.ts';
import { PROFILES } from './context.ts';
import type { Result } from './row.ts';
import { ROWS } from './rows/all-rows.ts';

/** Rows that a lost cache or a lost batch would show in, each measured in some seconds. A 304 takes the way of `rest-get`. */
const GUARDED = ['rest-get', 'rest-patch', 'trpc-get', 'replica-read', 'resync'];

/** So that a machine that is busy with other tests does not fail it. */
const PART_OF_THE_GOAL = 1 / 3;

/**
 * Seconds of warm-up of each attempt: a busy machine takes longer until V8 has compiled the hot paths, and the last attempt has
 * the warm-up of a full run. What is slow fails all of them.
 */
const WARM_UPS = [PROFILES.guard.warmUpSeconds, 2.5, PROFILES.full.warmUpSeconds];

test.each(GUARDED)('%s is within three times its goal', async (id) => {
  const rows = ROWS.filter((row) => row.id === id);
  const results: (Result | undefined)[] = [];
  for (const warmUpSeconds of WARM_UPS) {
    const profile = { ...PROFILES.guard, warmUpSeconds };
    results.push((await bench({ rows, profile, part: PART_OF_THE_GOAL }))[0]);
    if (results.at(-1)?.met) break;
  }
  expect(results.at(-1)?.met, JSON.stringify(results)).toBe(true);
});
