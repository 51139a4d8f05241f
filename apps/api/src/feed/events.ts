import {
  type ColumnDeclaration,
  type Cursor,
  type Declaration,
  type DeclaredSettings,
  formatCursor,
  type GuildId,
  isOfShard,
  type SettingDeclaration,
  type Shard,
  shardIdOf,
  WATCH_EVENT_TYPES,
  type WatchEvent,
  type WatchedGuild,
} from '@guild-settings/contract';
import type { Records } from '../domain/record.ts';
import type { FeedEntry, FeedPage, StoredGuild } from '../store/guild-store.ts';

/** The guilds that a watcher follows, and the event types and fields that it supports. */
export interface Audience extends GuildFilter {
  readonly view: WatcherView;
  readonly records: Records;
}

/**
 * Returns the events of a page for a watcher, in the order of the page. Adjacent records are combined into one event,
 * which is cheaper.
 */
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

/** An event of a stream. A client resumes after it by sending its id. */
export interface IdentifiedEvent<T> {
  readonly id: string;
  readonly event: T;
}

/** The notice of a changed access list, which only a watch of one guild receives. */
interface AccessNotice {
  readonly type: 'access';
  readonly revision: number;
}

export type FeedItem = WatchEvent | AccessNotice;

/** An event, and the position of its watch after it. The id is the cursor as text. */
export interface FeedEvent extends IdentifiedEvent<FeedItem> {
  readonly cursor: Cursor;
}

export function feedEvent(cursor: Cursor, event: FeedItem): FeedEvent {
  return { id: formatCursor(cursor), cursor, event };
}

export function positionAfter(epoch: string, event: FeedItem): Cursor {
  return { epoch, revision: 'revision' in event ? event.revision : 0 };
}

/** The encoding of events. Watches with the same encoding share the bytes of common events. */
export interface Encoding {
  readonly name: string;
  /** Keeps the connection alive without an event. */
  readonly heartbeat: Buffer;
  encode(events: readonly IdentifiedEvent<{ readonly type: string }>[]): Buffer;
}

export interface Outlet {
  readonly encoding: Encoding;
  /** Writes bytes. Returns false if no more should be written until {@link drained} resolves. */
  write(bytes: Buffer): boolean;
  /** Resolves when more can be written, or the reader has gone. */
  drained(): Promise<void>;
}

interface WatcherView {
  readonly name: string;
  readonly types: ReadonlySet<string>;
}

/**
 * The event types for a watcher without `accepts`. Types that are added later are not added here, because older readers
 * may not know them (docs/evolution.md).
 */
const DEFAULT_TYPES = ['reset', 'guild', 'guilds', 'removed', 'live', 'bookmark'];

/** The views by name. Shared, because there are thousands of watchers. */
const VIEWS = new Map<string, WatcherView>();

export function viewOf(accepts: readonly string[] = DEFAULT_TYPES): WatcherView {
  const types = WATCH_EVENT_TYPES.filter((type) => accepts.includes(type));
  const name = types.join();
  const known = VIEWS.get(name) ?? { name, types: new Set(types) };
  VIEWS.set(name, known);
  return known;
}

const EVENTS = new WeakMap<DeclaredSettings, WatchEvent>();

/**
 * Returns the declaration as an event: names, kinds, limits and defaults, without texts. A renamed setting has an entry
 * per name, because older readers know only the former one. Undefined: no declaration.
 */
export function sentDeclaration(settings: DeclaredSettings): WatchEvent | undefined {
  const { declaration, tag } = settings;
  if (declaration === undefined || tag === undefined) return undefined;
  const known = EVENTS.get(settings) ?? { type: 'declaration', tag, declaration: withoutTexts(declaration) };
  EVENTS.set(settings, known);
  return known;
}

function withoutTexts({ settings = {}, defaults }: Declaration): Declaration {
  const entries = Object.entries(settings).flatMap(([name, setting]) => {
    const { was, ...sent } = withoutOwnTexts(setting);
    const former = [was ?? []].flat();
    return [[name, was === undefined ? sent : { ...sent, was }], ...former.map((one) => [one, sent])];
  });
  return { settings: Object.fromEntries(entries), ...(defaults && { defaults }) };
}

/** Returns a setting, or a column of a table, without texts for people. */
function withoutOwnTexts<Declared extends SettingDeclaration | ColumnDeclaration>(declared: Declared): Declared {
  const { label: _, description: __, group: ___, ...setting } = declared as SettingDeclaration;
  const named = (['choices', 'placeholders'] as const).flatMap((part) =>
    part in setting ? [[part, mapValues(setting[part as never], () => ({}))]] : [],
  );
  const columns = 'columns' in setting && { columns: mapValues(setting.columns, withoutOwnTexts) };
  return { ...setting, label: {}, ...Object.fromEntries(named), ...columns } as unknown as Declared;
}

function mapValues<Value, Mapped>(object: Readonly<Record<string, Value>>, map: (value: Value) => Mapped) {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, map(value)]));
}

interface GuildFilter {
  readonly shard: Shard | undefined;
  readonly guildId?: GuildId;
}

/** The guilds of a page by shard: one page is matched against the filters of thousands of watches. */
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

function guildIdOf(entry: FeedEntry): GuildId {
  if ('guild' in entry) return entry.guild.id;
  return 'access' in entry ? entry.access : entry.erased;
}
