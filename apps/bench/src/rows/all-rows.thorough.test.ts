import { expect, test } from 'vitest';
import { bench } from '../bench.ts';
import { PROFILES } from '../context.ts';
import { ROWS } from './all-rows.ts';

test.each(ROWS)('$id can be measured', async (row) => {
  const [result] = await bench({ rows: [row], profile: PROFILES.smoke });
  expect(result?.ours).toBeGreaterThan(0);
  expect(result?.ratio).toBeGreaterThan(0);
});
