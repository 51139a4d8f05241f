import { expect, test } from 'vitest';
import { SnowflakeSequence, snowflake } from './snowflake.ts';

test('ids are snowflakes at any time, carry the time, and grow even while the clock stands or goes back', () => {
  let now = 1_700_000_000_000;
  const ids = new SnowflakeSequence(() => now);
  const made = [ids.next(), ids.next()];
  now -= 60_000;
  made.push(ids.next());
  now = 1_700_000_000_001;
  made.push(ids.next());
  expect(made.map(BigInt)).toStrictEqual(made.map(BigInt).toSorted((a, b) => (a < b ? -1 : 1)));
  expect(new Set(made).size).toBe(4);
  expect(Number(BigInt(made[3] ?? 0) >> 22n) + 1_420_070_400_000).toBe(now);
  expect(() => snowflake(new SnowflakeSequence(() => 0).next())).not.toThrow();
});
