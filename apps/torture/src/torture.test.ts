import { printedSeed, repetitions } from '@guild-settings/testing';
import { expect, test } from 'vitest';
import { countOf } from './checker/anomalies.ts';
import { textReport } from './report.ts';
import { torture } from './run.ts';

const seed = printedSeed('torture');

/** One store in `test`, since a run takes as long as a package's tests. */
const STORES = (['sqlite', 'postgres'] as const).slice(0, repetitions(1, 2));

test.each(STORES)('a run on %s keeps every guarantee', async (store) => {
  const report = await torture({ store, rounds: repetitions(1, 20), seed });
  expect(countOf(report.anomalies), textReport(report)).toBe(0);
  expect(report.acknowledgedWrites).toBeGreaterThan(10);
});
