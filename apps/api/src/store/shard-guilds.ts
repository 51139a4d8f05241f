import { setImmediate } from 'node:timers/promises';
import { type GuildId, isOfShard, type Shard } from '@guild-settings/contract';

const PAGE_GUILDS = 1_000;

/**
 * Returns the ids of a shard's guilds, in the order of ids. Requests are handled between two pages.
 * @param page returns ids after another one
 */
export async function guildsOfShard(
  shard: Shard,
  page: (after: GuildId, limit: number) => Promise<readonly GuildId[]>,
): Promise<GuildId[]> {
  const found: GuildId[] = [];
  for (let after = '', isLast = false; !isLast; ) {
    const ids = await page(after, PAGE_GUILDS);
    for (const id of ids) if (isOfShard(id, shard)) found.push(id);
    after = ids.at(-1) ?? after;
    isLast = ids.length < PAGE_GUILDS;
    await setImmediate();
  }
  return found;
}
