import { type GuildId, type Shard, shardIdOf } from '@guild-settings/contract';
import type { Watcher } from './watcher.ts';

/** One watcher, or several: most shards have one, and ten thousand sets would take more than the watchers themselves. */
type Entry = Watcher | Set<Watcher>;

/** Finds the watchers of a guild by their shards. */
export class WatcherIndex {
  /** Watchers by shard count, then by shard id. */
  readonly #byCount = new Map<number, Map<number, Entry>>();

  add(watcher: Watcher): void {
    for (const { id, count } of watcher.shards) {
      const byId = this.#byCount.get(count) ?? new Map<number, Entry>();
      this.#byCount.set(count, byId);
      const known = byId.get(id);
      if (known instanceof Set) known.add(watcher);
      else byId.set(id, known === undefined ? watcher : new Set([known, watcher]));
    }
  }

  delete(watcher: Watcher): void {
    for (const { id, count } of watcher.shards) {
      const byId = this.#byCount.get(count);
      const known = byId?.get(id);
      if (known instanceof Set) known.delete(watcher);
      if (known === watcher || (known instanceof Set && known.size === 0)) byId?.delete(id);
      if (byId?.size === 0) this.#byCount.delete(count);
    }
  }

  /** Yields each watcher of a guild, with the shard of the guild. */
  *of(guildId: GuildId): Generator<{ readonly watcher: Watcher; readonly shard: Shard }> {
    for (const [count, byId] of this.#byCount) {
      const shard = { id: shardIdOf(guildId, count), count };
      const known = byId.get(shard.id);
      if (known instanceof Set) for (const watcher of known) yield { watcher, shard };
      else if (known !== undefined) yield { watcher: known, shard };
    }
  }
}
