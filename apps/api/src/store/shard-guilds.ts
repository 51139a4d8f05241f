import type { GuildId, Shard } from '@guild-settings/contract';
import type { Presence } from './store.ts';

/** Listed guild of a shard; `presence` is null when the guild has no row any more. */
export interface ListedGuild {
  readonly guildId: GuildId;
  readonly presence: Presence | null;
}

/** Page of a shard's guilds in the order of ids. */
export interface ListPage {
  readonly guilds: readonly ListedGuild[];
  readonly isLast: boolean;
}

/** Access of one store to its table `shard_guilds`. */
export interface ShardLists {
  /** Returns the guilds of a shard that are listed after an id. */
  page(shard: Shard, after: GuildId): Promise<ListPage>;
  /** Returns whether all guilds are listed for a shard count. */
  isFilled(count: number): Promise<boolean>;
  /** Lists all guilds for a shard count. */
  fill(count: number): Promise<void>;
}

/** Guilds by shard, listed for a shard count when it is first used. */
export class ShardGuilds {
  readonly #lists: ShardLists;
  readonly #filling = new Map<number, Promise<void>>();

  constructor(lists: ShardLists) {
    this.#lists = lists;
  }

  /** Returns the ids of a shard's guilds that the bot has not left. */
  async notLeft(shard: Shard): Promise<GuildId[]> {
    for (;;) {
      await this.#ensureFilled(shard.count);
      const found: GuildId[] = [];
      for (let after = '', isLast = false; !isLast; ) {
        const page = await this.#lists.page(shard, after);
        for (const { guildId, presence } of page.guilds) {
          if (presence !== null && presence !== 'left') found.push(guildId);
        }
        after = page.guilds.at(-1)?.guildId ?? after;
        ({ isLast } = page);
      }
      // The list may have been deleted for another shard count while it was read.
      if (await this.#lists.isFilled(shard.count)) return found;
    }
  }

  async #ensureFilled(count: number): Promise<void> {
    if (await this.#lists.isFilled(count)) return;
    const filling = this.#filling.get(count) ?? this.#lists.fill(count).finally(() => this.#filling.delete(count));
    this.#filling.set(count, filling);
    await filling;
  }
}
