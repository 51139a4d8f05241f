import { isOfShard, type WatchEvent, type WatchedGuild } from '@guild-settings/contract';
import type { Records } from '../domain/record.ts';
import type { FeedPage, StoredGuild } from '../store/guild-store.ts';
import type { FeedItem } from './feed-event.ts';
import { type GuildFilter, guildIdOf } from './page-guilds.ts';
import type { WatcherView } from './watcher-view.ts';

/** The guilds that a watcher follows, and what it understands. */
export interface Audience extends GuildFilter {
  readonly view: WatcherView;
  readonly records: Records;
}

/** Returns the events of a page for a watcher, in the order of the page. Adjacent records become one event, which is cheaper. */
export function* eventsOf(
  { entries }: Pick<FeedPage, 'entries'>,
  { shard, guildId, view, records: made }: Audience,
): Generator<FeedItem, undefined> {
  let records: WatchedGuild[] = [];
  for (const entry of entries) {
    if (guildId !== undefined && guildIdOf(entry) !== guildId) continue;
    if (shard !== undefined && !isOfShard(guildIdOf(entry), shard)) continue;
    if ('guild' in entry) {
      records.push({ revision: entry.revision, ...watchedOf(entry.guild, made, view) });
      continue;
    }
    const { revision } = entry;
    if ('access' in entry && guildId === undefined) continue;
    yield* eventsWith(records, view);
    records = [];
    yield 'access' in entry ? { type: 'access', revision } : { type: 'removed', revision, guild: entry.erased };
  }
  yield* eventsWith(records, view);
}

function* eventsWith(records: readonly WatchedGuild[], { types }: WatcherView): Generator<WatchEvent> {
  const last = records.at(-1);
  if (last === undefined) return;
  if (records.length > 1 && types.has('guilds'))
    yield { type: 'guilds', revision: last.revision, guilds: [...records] };
  else for (const record of records) yield { type: 'guild', ...record };
}

function watchedOf(stored: StoredGuild, records: Records, { types }: WatcherView): Omit<WatchedGuild, 'revision'> {
  const { settings } = records;
  const guild = records.of(stored.id, stored, undefined);
  if (settings.tag === undefined) return { guild };
  const { custom: _, ...specified } = guild;
  if (!types.has('declaration')) return { guild: specified };
  const { custom, unset } = settings.sparse(stored.settings);
  return { guild: { ...specified, custom }, unset: [...unset] };
}
