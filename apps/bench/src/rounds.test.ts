import { expect, test } from 'vitest';
import { PROFILES } from './context.ts';
import { compareSeries, measureRounds } from './rounds.ts';

test('the ratio is the median of the ratios of the rounds, whose machine was as slow for both', () => {
  const ours = { name: 'ours', values: [20, 2, 30] };
  const peer = { name: 'peer', values: [10, 1, 10] };
  expect(compareSeries([ours, peer, { name: 'other', values: [5, 5, 6] }])).toEqual({
    ours: 20,
    peers: { peer: 10, other: 5 },
    ratio: 2,
    spread: { from: 2, to: 3 },
    ratios: { peer: 2, other: 4 },
  });
});

test('candidates take turns, and the first round is not counted', async () => {
  const calls: string[] = [];
  const candidate = (name: string) => ({
    name,
    measure: async (seconds: number) => calls.push(`${name} ${seconds}`),
  });
  const profile = { ...PROFILES.smoke, rounds: 2, roundSeconds: 1, warmUpSeconds: 5 };
  const context = { profile, progress: () => {} };
  expect(await measureRounds(context, [candidate('a'), candidate('b')])).toEqual([
    { name: 'a', values: [3, 5] },
    { name: 'b', values: [4, 6] },
  ]);
  expect(calls).toEqual(['a 5', 'b 5', 'a 1', 'b 1', 'a 1', 'b 1']);
});
