import { seededRandom } from '@guild-settings/testing';

/** Random choices that are reproducible by a seed. */
export class Random {
  readonly #number: () => number;

  constructor(seed: number) {
    this.#number = seededRandom(seed);
  }

  between(least: number, most: number): number {
    return least + Math.floor(this.#number() * (most - least + 1));
  }

  chance(probability: number): boolean {
    return this.#number() < probability;
  }

  pick<T>(from: readonly T[]): T {
    const picked = from[this.between(0, from.length - 1)];
    if (picked === undefined) throw new RangeError('Expected an element to pick, received an empty array');
    return picked;
  }

  shuffled<T>(all: readonly T[]): T[] {
    const placed = all.map((one) => ({ one, at: this.#number() }));
    return placed.toSorted((a, b) => a.at - b.at).map(({ one }) => one);
  }

  /** Creates an independent generator, so that the draws of one part do not affect those of another. */
  fork(): Random {
    return new Random(this.between(0, 2 ** 31 - 1));
  }
}
