import type { ArrivalState, GuildId, WatcherArrival } from '@guild-settings/contract';
import type { WatchedShard } from './watcher-index.ts';

/** By precedence: the state of a change is the first that one of its watchers has. */
const STATES: readonly ArrivalState[] = ['rejected', 'pending', 'away', 'live'];

/** Returns where each watcher of a guild is with a revision, those first whose state is that of the revision. */
export function arrivalsAt(watchers: Iterable<WatchedShard>, guildId: GuildId, revision: number): WatcherArrival[] {
  const arrivals = Array.from(watchers, ({ watcher, shard }) => ({
    name: watcher.name,
    shard,
    revision: watcher.revision,
    state: watcher.stateOf(guildId, revision),
    since: new Date(watcher.sinceMs).toISOString(),
  }));
  return arrivals.sort((a, b) => STATES.indexOf(a.state) - STATES.indexOf(b.state));
}

/** Returns whether waiting for a revision is over: it is live, or will not be, because a watcher has rejected it. */
export function isSettled(watchers: Iterable<WatchedShard>, guildId: GuildId, revision: number): boolean {
  let isKnown = false;
  let isLive = true;
  for (const { watcher } of watchers) {
    const state = watcher.stateOf(guildId, revision);
    if (state === 'rejected') return true;
    isKnown = true;
    isLive &&= state === 'live';
  }
  return isKnown && isLive;
}
