import { expect, test } from 'vitest';
import { countOf } from './checker/anomalies.ts';
import { textReport } from './report.ts';
import { torture } from './run.ts';

const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);

test.each(['sqlite', 'postgres'] as const)(
  'a short run on %s keeps every promise',
  { timeout: 90_000 },
  async (store) => {
    console.log(`torture seed ${seed} (SEED=${seed} repeats the choices)`);
    const report = await torture({ store, rounds: 2, seed });
    expect(countOf(report.anomalies), textReport(report)).toBe(0);
    expect(report.acknowledgedWrites).toBeGreaterThan(50);
  },
);
