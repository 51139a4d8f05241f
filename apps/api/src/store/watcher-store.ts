import type { GuildId, Shard } from '@guild-settings/contract';

export interface RejectedChange {
  readonly guild: GuildId;
  readonly revision: number;
}

export interface WatcherState {
  readonly id: string;
  readonly registration: number;
  /** The cursor up to which it has acknowledged, except the rejected changes; an empty epoch: nothing. */
  readonly epoch: string;
  readonly revision: number;
  readonly rejected: readonly RejectedChange[];
  /** True: the registration has no stream any more. */
  readonly hasEnded: boolean;
  readonly hasLeft: boolean;
}

/** The run of a process that registered. It counts with that registration alone: services of 1.0.0 do not replace it. */
export interface WatcherRun {
  readonly registration: number;
  readonly id: string;
  /** True: it has taken leave. */
  readonly hasLeft: boolean;
}

export interface WatcherRow extends Omit<WatcherState, 'hasEnded' | 'hasLeft'> {
  readonly name: string;
  readonly shards: readonly Shard[];
  readonly run: WatcherRun | null;
  /** A number that grows with each change of any row. */
  readonly version: number;
  readonly isConnected: boolean;
  readonly seenAgoMs: number;
}

export interface WatcherStore {
  /** True: other processes may use the same database. */
  readonly isShared: boolean;
  readWatchers(after: number): Promise<readonly WatcherRow[]>;
  /** Stores a watcher as connected, without a position. Returns the number of its registration, greater than all before. */
  registerWatcher(watcher: Pick<WatcherRow, 'id' | 'name' | 'shards'>, run: string | undefined): Promise<number>;
  /** Stores states of watchers, but none of an earlier registration than the last. */
  updateWatchers(states: readonly WatcherState[]): Promise<void>;
  touchWatchers(ids: readonly string[]): Promise<void>;
  /** Deletes watchers, but none that was marked as connected within a time. */
  deleteWatchers(ids: readonly string[], unseenForMs: number): Promise<void>;
}
