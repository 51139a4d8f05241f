import { seededRandom } from '@guild-settings/testing';

export interface Random {
  number(): number;
  between(least: number, most: number): number;
  chance(probability: number): boolean;
  pick<T>(from: readonly T[]): T;
  shuffled<T>(all: readonly T[]): T[];
  /** Creates an independent generator, so that the draws of one part do not change those of another. */
  fork(): Random;
}

export function randomOf(seed: number): Random {
  const number = seededRandom(seed);
  const between = (least: number, most: number) => least + Math.floor(number() * (most - least + 1));
  return {
    number,
    between,
    chance: (probability) => number() < probability,
    pick(from) {
      const picked = from[between(0, from.length - 1)];
      if (picked === undefined) throw new RangeError('Expected an element to pick, received an empty array');
      return picked;
    },
    shuffled: (all) =>
      all
        .map((one) => ({ one, at: number() }))
        .toSorted((a, b) => a.at - b.at)
        .map(({ one }) => one),
    fork: () => randomOf(between(0, 2 ** 31 - 1)),
  };
}
