import type { GuildId, Shard } from '@guild-settings/contract';
import type { Watcher } from './watcher.ts';

/** Finds the watchers of a guild by their shards. */
export class WatcherIndex {
  /** Watchers by shard count, then by shard id. */
  readonly #byCount = new Map<number, Map<number, Set<Watcher>>>();

  add(watcher: Watcher): void {
    for (const { id, count } of watcher.shards) {
      const byId = this.#byCount.get(count) ?? new Map<number, Set<Watcher>>();
      this.#byCount.set(count, byId);
      byId.set(id, (byId.get(id) ?? new Set()).add(watcher));
    }
  }

  delete(watcher: Watcher): void {
    for (const { id, count } of watcher.shards) {
      const byId = this.#byCount.get(count);
      const watchers = byId?.get(id);
      watchers?.delete(watcher);
      if (watchers?.size === 0) byId?.delete(id);
      if (byId?.size === 0) this.#byCount.delete(count);
    }
  }

  /** Yields each watcher of a guild, with the shard of the guild. */
  *of(guildId: GuildId): Generator<{ readonly watcher: Watcher; readonly shard: Shard }> {
    for (const [count, byId] of this.#byCount) {
      const shard = { id: shardIdOf(guildId, count), count };
      for (const watcher of byId.get(shard.id) ?? []) yield { watcher, shard };
    }
  }
}

/**
 * Returns the shard of a guild by Discord's formula.
 * @see https://docs.discord.com/developers/events/gateway#sharding
 */
function shardIdOf(guildId: GuildId, count: number): number {
  return Number((BigInt(guildId) >> 22n) % BigInt(count));
}
