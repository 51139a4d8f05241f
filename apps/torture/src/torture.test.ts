import { printedSeed } from '@guild-settings/testing';
import { expect, test } from 'vitest';
import { countOf } from './checker/anomalies.ts';
import { textReport } from './report.ts';
import { torture } from './run.ts';

const seed = printedSeed('torture');

test.each([
  ['sqlite', 2],
  ['postgres', 1],
] as const)('a short run on %s keeps every guarantee', async (store, rounds) => {
  const report = await torture({ store, rounds, seed });
  expect(countOf(report.anomalies), textReport(report)).toBe(0);
  expect(report.acknowledgedWrites).toBeGreaterThan(50);
});
