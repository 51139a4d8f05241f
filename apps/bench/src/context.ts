import type { ResourceStack } from '@guild-settings/testing';

export interface BenchProfile {
  readonly rounds: number;
  readonly roundSeconds: number;
  /** The first round, which is not measured: until V8 has compiled the hot paths. */
  readonly warmUpSeconds: number;
  /** Further loads before the first round, where fewer requests were sent than a warm-up needs. */
  readonly maxWarmUps: number;
  /** Guilds of rows about many guilds, and about more than fit into a cache. */
  readonly manyGuilds: number;
  readonly wideGuilds: number;
  readonly changes: number;
  /** Requests during which memory is sampled, and the longest time for them. */
  readonly soakRequests: number;
  readonly soakSeconds: number;
  readonly visits: number;
}

export const PROFILES = {
  full: {
    rounds: 5,
    roundSeconds: 2,
    warmUpSeconds: 5,
    maxWarmUps: 12,
    manyGuilds: 100_000,
    wideGuilds: 300_000,
    changes: 1_000_000,
    soakRequests: 1_000_000,
    soakSeconds: 120,
    visits: 5,
  },
  quick: {
    rounds: 5,
    roundSeconds: 0.4,
    warmUpSeconds: 1.5,
    maxWarmUps: 12,
    manyGuilds: 20_000,
    wideGuilds: 100_000,
    changes: 100_000,
    soakRequests: 200_000,
    soakSeconds: 10,
    visits: 1,
  },
  /** Shows that a row can be measured, and nothing more. */
  smoke: {
    rounds: 1,
    roundSeconds: 0.1,
    warmUpSeconds: 0.1,
    maxWarmUps: 0,
    manyGuilds: 1_000,
    wideGuilds: 2_000,
    changes: 10_000,
    soakRequests: 1_000,
    soakSeconds: 1,
    visits: 1,
  },
} as const satisfies Record<string, BenchProfile>;

export interface BenchContext {
  readonly profile: BenchProfile;
  readonly folder: string;
  readonly resources: ResourceStack;
  readonly progress: (line: string) => void;
}
