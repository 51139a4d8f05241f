import { WATCH_EVENT_TYPES } from '@guild-settings/contract';

export interface WatcherView {
  readonly name: string;
  readonly types: ReadonlySet<string>;
}

/**
 * The types that a watcher without `accepts` receives. A type that is added later is not added here: a reader that has not named it
 * may not know it (docs/evolution.md).
 */
const DEFAULT_TYPES = ['reset', 'guild', 'guilds', 'removed', 'live', 'bookmark'];

/** The views by their names. Shared, because there are thousands of watchers. */
const VIEWS = new Map<string, WatcherView>();

export function viewOf(accepts: readonly string[] = DEFAULT_TYPES): WatcherView {
  const types = WATCH_EVENT_TYPES.filter((type) => accepts.includes(type));
  const name = types.join();
  const known = VIEWS.get(name) ?? { name, types: new Set(types) };
  VIEWS.set(name, known);
  return known;
}
