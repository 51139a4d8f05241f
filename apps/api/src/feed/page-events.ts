import { isOfShard, type Shard, type WatchEvent, type WatchedGuild } from '@guild-settings/contract';
import { recordOf } from '../domain/record.ts';
import type { FeedEntry, FeedPage } from '../store/store.ts';

/** What a page tells a shard, in its order. Records that follow one another are told at once: an event has its price. */
export function* eventsOf({ entries }: Pick<FeedPage, 'entries'>, shard: Shard | undefined): Generator<WatchEvent> {
  let run: WatchedGuild[] = [];
  for (const entry of entries) {
    if (shard !== undefined && !isOfShard(guildIdOf(entry), shard)) continue;
    if ('guild' in entry) {
      run.push({ revision: entry.revision, guild: recordOf(entry.guild.id, entry.guild, undefined) });
      continue;
    }
    yield* eventOf(run);
    run = [];
    yield { type: 'removed', revision: entry.revision, guild: entry.erased };
  }
  yield* eventOf(run);
}

function* eventOf(run: readonly WatchedGuild[]): Generator<WatchEvent> {
  const last = run.at(-1);
  if (last === undefined) return;
  yield run.length === 1 ? { type: 'guild', ...last } : { type: 'guilds', revision: last.revision, guilds: [...run] };
}

function guildIdOf(entry: FeedEntry): string {
  return 'guild' in entry ? entry.guild.id : entry.erased;
}
