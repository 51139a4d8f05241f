import type { GuildId, Shard } from '@guild-settings/contract';

export interface RejectedChange {
  readonly guild: GuildId;
  readonly revision: number;
}

/** The position of a watcher, as a process of the service writes it. */
export interface WatcherState {
  readonly id: string;
  readonly registration: number;
  /** The cursor up to which it has acknowledged, except the rejected changes; an empty epoch: nothing. */
  readonly epoch: string;
  readonly revision: number;
  readonly rejected: readonly RejectedChange[];
  /** True: its last stream has ended. */
  readonly hasLeft: boolean;
}

/** A registered watcher, as it is stored. */
export interface WatcherRow extends Omit<WatcherState, 'hasLeft'> {
  readonly name: string;
  readonly shards: readonly Shard[];
  /** A number that grows with each change of any row. */
  readonly version: number;
  readonly isConnected: boolean;
  /** Milliseconds since it was last marked as connected. */
  readonly seenAgoMs: number;
}

export interface WatcherStore {
  /** True: other processes may use the same database. */
  readonly isShared: boolean;
  /** Returns the registered watchers whose rows have a greater version. */
  readWatchers(after: number): Promise<readonly WatcherRow[]>;
  /** Stores a watcher as connected, without a position. Returns the number of its registration, greater than all before. */
  registerWatcher(watcher: Pick<WatcherRow, 'id' | 'name' | 'shards'>): Promise<number>;
  /** Stores states of watchers, but none of an earlier registration than the last. */
  updateWatchers(states: readonly WatcherState[]): Promise<void>;
  touchWatchers(ids: readonly string[]): Promise<void>;
  /** Deletes watchers, but none that was marked as connected within a time. */
  deleteWatchers(ids: readonly string[], unseenForMs: number): Promise<void>;
}
