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
  readonly hasLeft: boolean;
}

export interface WatcherRow extends Omit<WatcherState, 'hasLeft'> {
  readonly name: string;
  readonly shards: readonly Shard[];
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
  registerWatcher(watcher: Pick<WatcherRow, 'id' | 'name' | 'shards'>): Promise<number>;
  /** Stores states of watchers, but none of an earlier registration than the last. */
  updateWatchers(states: readonly WatcherState[]): Promise<void>;
  touchWatchers(ids: readonly string[]): Promise<void>;
  /** Deletes watchers, but none that was marked as connected within a time. */
  deleteWatchers(ids: readonly string[], unseenForMs: number): Promise<void>;
}
