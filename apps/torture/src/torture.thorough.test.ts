import { printedSeed } from '@guild-settings/testing';
import { expect, test } from 'vitest';
import { countOf } from './checker/check.ts';
import { textReport, torture } from './run.ts';

const seed = printedSeed('torture');

test.each(['sqlite', 'postgres'] as const)('a run on %s keeps every guarantee', async (store) => {
  const report = await torture({ store, rounds: 20, seed });
  expect(countOf(report.anomalies), textReport(report)).toBe(0);
  expect(report.acknowledgedWrites).toBeGreaterThan(10);
});
