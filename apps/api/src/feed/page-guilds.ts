import { type GuildId, type Shard, shardIdOf } from '@guild-settings/contract';
import type { FeedEntry } from '../store/guild-store.ts';

export interface GuildFilter {
  readonly shard: Shard | undefined;
  readonly guildId?: GuildId;
}

/** The guilds of a page by shard: one page is compared with the filters of thousands of watches. */
export class PageGuilds {
  readonly #ids: ReadonlySet<GuildId>;
  readonly #shardIds = new Map<number, ReadonlySet<number>>();

  constructor(entries: readonly FeedEntry[]) {
    this.#ids = new Set(entries.map(guildIdOf));
  }

  concern({ guildId, shard }: GuildFilter): boolean {
    if (guildId !== undefined) return this.#ids.has(guildId);
    return shard === undefined ? this.#ids.size > 0 : this.#shardIdsOf(shard.count).has(shard.id);
  }

  #shardIdsOf(count: number): ReadonlySet<number> {
    const known = this.#shardIds.get(count);
    if (known !== undefined) return known;
    const shardIds = new Set([...this.#ids].map((id) => shardIdOf(id, count)));
    this.#shardIds.set(count, shardIds);
    return shardIds;
  }
}

export function guildIdOf(entry: FeedEntry): GuildId {
  if ('guild' in entry) return entry.guild.id;
  return 'access' in entry ? entry.access : entry.erased;
}
