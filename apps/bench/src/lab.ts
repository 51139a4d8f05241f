import type { ResourceStack } from '@guild-settings/testing';

/** How much time a run takes. */
export interface Effort {
  /** How often each contestant is measured. */
  readonly rounds: number;
  /** Seconds of load in a round, and before the first one, until everything that is asked often has been compiled. */
  readonly seconds: number;
  readonly warmUp: number;
  /** Guilds where a row speaks of many, and of a great many. */
  readonly many: number;
  readonly most: number;
}

export const EFFORT = {
  full: { rounds: 5, seconds: 2, warmUp: 5, many: 100_000, most: 1_000_000 },
  quick: { rounds: 5, seconds: 0.4, warmUp: 1.5, many: 20_000, most: 100_000 },
  guard: { rounds: 3, seconds: 0.5, warmUp: 1.5, many: 2_000, most: 10_000 },
} as const satisfies Record<string, Effort>;

/** What a row measures with. */
export interface Lab {
  readonly effort: Effort;
  /** A folder for files, gone at the end. */
  readonly folder: string;
  /** What is put here is stopped when the row is done, the last one first. */
  readonly cleanUp: ResourceStack;
  /** Says how far it has come. */
  readonly progress: (line: string) => void;
}
