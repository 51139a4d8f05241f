import type { ResourceStack } from '@guild-settings/testing';

/** The sizes and durations of a run. */
export interface BenchProfile {
  /** Measured rounds of each candidate. */
  readonly rounds: number;
  readonly roundSeconds: number;
  /** The first round, which is not measured: until V8 has compiled the hot paths. */
  readonly warmUpSeconds: number;
  /** Guilds of rows about many guilds, about more than fit into a cache, and about the most. */
  readonly manyGuilds: number;
  readonly wideGuilds: number;
  readonly maxGuilds: number;
  /** Requests of a soak, and its longest duration. */
  readonly soakRequests: number;
  readonly soakSeconds: number;
}

export const PROFILES = {
  full: {
    rounds: 5,
    roundSeconds: 2,
    warmUpSeconds: 5,
    manyGuilds: 100_000,
    wideGuilds: 300_000,
    maxGuilds: 1_000_000,
    soakRequests: 1_000_000,
    soakSeconds: 120,
  },
  quick: {
    rounds: 5,
    roundSeconds: 0.4,
    warmUpSeconds: 1.5,
    manyGuilds: 20_000,
    wideGuilds: 100_000,
    maxGuilds: 100_000,
    soakRequests: 200_000,
    soakSeconds: 10,
  },
  guard: {
    rounds: 2,
    roundSeconds: 0.3,
    warmUpSeconds: 0.8,
    manyGuilds: 2_000,
    wideGuilds: 5_000,
    maxGuilds: 10_000,
    soakRequests: 10_000,
    soakSeconds: 1,
  },
} as const satisfies Record<string, BenchProfile>;

/** The environment in which a row is measured. */
export interface BenchContext {
  readonly profile: BenchProfile;
  /** A temporary folder, deleted after the row. */
  readonly folder: string;
  /** Disposed of after the row. */
  readonly resources: ResourceStack;
  /** Reports progress. */
  readonly progress: (line: string) => void;
}
