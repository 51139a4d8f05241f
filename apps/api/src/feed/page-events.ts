import { isOfShard, type Shard, type WatchEvent, type WatchedGuild } from '@guild-settings/contract';
import { recordOf } from '../domain/record.ts';
import type { FeedEntry, FeedPage } from '../store/store.ts';

/** Returns the events of a page for a shard, in the order of the page. Adjacent records become one event, which is cheaper. */
export function* eventsOf({ entries }: Pick<FeedPage, 'entries'>, shard: Shard | undefined): Generator<WatchEvent> {
  let records: WatchedGuild[] = [];
  for (const entry of entries) {
    if (shard !== undefined && !isOfShard(guildIdOf(entry), shard)) continue;
    if ('guild' in entry) {
      records.push({ revision: entry.revision, guild: recordOf(entry.guild.id, entry.guild, undefined) });
      continue;
    }
    yield* eventOf(records);
    records = [];
    yield { type: 'removed', revision: entry.revision, guild: entry.erased };
  }
  yield* eventOf(records);
}

function* eventOf(records: readonly WatchedGuild[]): Generator<WatchEvent> {
  const last = records.at(-1);
  if (last === undefined) return;
  yield records.length === 1
    ? { type: 'guild', ...last }
    : { type: 'guilds', revision: last.revision, guilds: [...records] };
}

function guildIdOf(entry: FeedEntry): string {
  return 'guild' in entry ? entry.guild.id : entry.erased;
}
