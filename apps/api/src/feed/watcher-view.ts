import { DEFAULT_SETTINGS, type Guild, WATCH_EVENT_TYPES } from '@guild-settings/contract';

/** What a watcher understands. */
export interface WatcherView {
  /** Equal for views that leave out the same events and values. */
  readonly name: string;
  /** The types of events that it receives. */
  readonly types: ReadonlySet<string>;
  /** Returns a record as the watcher receives it. */
  recordOf(guild: Guild): Guild;
}

/** The types of the first version. Types that are added later are only for watchers that accept them. */
const FIRST_TYPES = ['reset', 'guild', 'guilds', 'removed', 'live', 'bookmark'];

/** The languages of the first version, whose readers stop at any other. Later languages are not added here. */
const FIRST_LANGUAGES: readonly string[] = ['en-US', 'hi', 'ru', 'ja', 'es-ES'];

/** What readers of the first version understand, which do not send `accepts`: docs/evolution.md. */
const FIRST_VIEW: WatcherView = {
  name: 'first',
  types: new Set(FIRST_TYPES),
  recordOf: (guild) =>
    FIRST_LANGUAGES.includes(guild.language) ? guild : { ...guild, language: DEFAULT_SETTINGS.language },
};

const asItIs = (guild: Guild) => guild;

/** What readers of this version understand. Shared, because there are thousands of watchers. */
const WHOLE_VIEW: WatcherView = { name: 'whole', types: new Set(WATCH_EVENT_TYPES), recordOf: asItIs };

/** Returns what a watcher understands that sent these types as `accepts`; undefined: it sent none. */
export function viewOf(accepts: readonly string[] | undefined): WatcherView {
  if (accepts === undefined) return FIRST_VIEW;
  const types = WATCH_EVENT_TYPES.filter((type) => accepts.includes(type));
  if (types.length === WATCH_EVENT_TYPES.length) return WHOLE_VIEW;
  return { name: types.join(), types: new Set(types), recordOf: asItIs };
}
