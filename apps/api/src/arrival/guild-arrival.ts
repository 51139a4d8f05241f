import type { ArrivalState, GuildId, WatcherArrival } from '@guild-settings/contract';
import type { WatchedShard } from './watchers.ts';

/** By precedence: the state of a change is the first that one of its watchers has. */
const STATES: readonly ArrivalState[] = ['rejected', 'pending', 'away', 'live'];

interface Asked {
  readonly guildId: GuildId;
  readonly revision: number;
  readonly nowMs: number;
}

/** Returns where each watcher of a guild is with a revision, those first whose state is that of the revision. */
export function arrivalsAt(watchers: Iterable<WatchedShard>, { guildId, revision, nowMs }: Asked): WatcherArrival[] {
  const arrivals = Array.from(watchers, ({ watcher, shard }) => ({
    name: watcher.name,
    shard,
    revision: watcher.position?.revision ?? 0,
    state: watcher.stateOf(guildId, revision, nowMs),
    since: new Date(watcher.sinceMs).toISOString(),
  }));
  return arrivals.sort((a, b) => STATES.indexOf(a.state) - STATES.indexOf(b.state));
}

/** Returns whether waiting for a revision is over: it is live, or will not be, because a watcher has rejected it. */
export function isSettled(watchers: Iterable<WatchedShard>, { guildId, revision, nowMs }: Asked): boolean {
  const states = Array.from(watchers, ({ watcher }) => watcher.stateOf(guildId, revision, nowMs));
  return states.includes('rejected') || (states.length > 0 && states.every((state) => state === 'live'));
}

export function lastAcknowledgedAtMs(watchers: Iterable<WatchedShard>, revision: number): number | undefined {
  const times = Array.from(watchers, ({ watcher }) => watcher.acknowledgedAtMs(revision) ?? Number.NEGATIVE_INFINITY);
  const last = Math.max(...times);
  return Number.isFinite(last) ? last : undefined;
}
