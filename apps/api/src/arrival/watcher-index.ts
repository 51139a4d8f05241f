import { type GuildId, type Shard, shardIdOf } from '@guild-settings/contract';
import type { Watcher } from './watcher.ts';

/** Neighbouring shards that share an entry: the shards of a process are mostly neighbours. */
const SHARDS_PER_ENTRY = 16;

/** A watcher of a guild, and the shard of the guild. */
export interface WatchedShard {
  readonly watcher: Watcher;
  readonly shard: Shard;
}

/** Finds the watchers of a guild by their shards. */
export class WatcherIndex {
  /** Watchers by shard count, then by shard id without its lowest bits. Arrays: sets would take more than the watchers. */
  readonly #byCount = new Map<number, Map<number, Watcher[]>>();

  add(watcher: Watcher): void {
    for (const { id, count } of watcher.shards) {
      const entries = this.#byCount.get(count) ?? new Map<number, Watcher[]>();
      this.#byCount.set(count, entries);
      const entry = entries.get(entryOf(id));
      if (entry === undefined) entries.set(entryOf(id), [watcher]);
      else if (entry.at(-1) !== watcher) entry.push(watcher);
    }
  }

  delete(watcher: Watcher): void {
    for (const { id, count } of watcher.shards) {
      const entries = this.#byCount.get(count);
      const entry = entries?.get(entryOf(id));
      const at = entry?.indexOf(watcher) ?? -1;
      if (at >= 0) entry?.splice(at, 1);
      if (entry?.length === 0) entries?.delete(entryOf(id));
      if (entries?.size === 0) this.#byCount.delete(count);
    }
  }

  /** Yields each watcher of a guild, with the shard of the guild. */
  *of(guildId: GuildId): Generator<WatchedShard> {
    for (const [count, entries] of this.#byCount) {
      const shard = { id: shardIdOf(guildId, count), count };
      for (const watcher of entries.get(entryOf(shard.id)) ?? []) if (watcher.hasShard(shard)) yield { watcher, shard };
    }
  }
}

function entryOf(shardId: number): number {
  return Math.floor(shardId / SHARDS_PER_ENTRY);
}
