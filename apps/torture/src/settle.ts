import { setTimeout as delay } from 'node:timers/promises';
import { differencesOf } from './checker/watchers.ts';
import type { Cluster } from './cluster/cluster.ts';
import type { Snapshot, Watched } from './history.ts';
import type { Recorder } from './load/recorder.ts';
import { retryErase, retryWrite } from './load/retry-write.ts';
import type { Watcher } from './load/watcher.ts';

/** The time for watchers to catch up when no fault is active. */
const CATCH_UP_TIMEOUT_MS = 120_000;

/** The time for a notification when no fault is active: before the next bookmark. */
const NOTIFICATION_TIMEOUT_MS = 4_500;

const LOOK_INTERVAL_MS = 5;

function followers(cluster: Cluster, watchers: readonly Watcher[]): Watched[] {
  const bots = cluster.bots.map((bot) => {
    return { name: bot.name, records: bot.records(), received: [], disorder: [], repeats: [] };
  });
  return [...watchers, ...bots];
}

/** A snapshot of the store, and the state of its followers right after it. */
export interface Agreement {
  readonly snapshot: Snapshot;
  readonly watched: readonly Watched[];
}

/**
 * Waits until every follower agrees with the store, or the timeout has passed. Retention may erase more meanwhile, so the
 * snapshot is of the moment of agreement.
 */
export async function waitForAgreement(cluster: Cluster, watchers: readonly Watcher[]): Promise<Agreement> {
  const deadline = performance.now() + CATCH_UP_TIMEOUT_MS;
  for (;;) {
    const snapshot = await cluster.database.read();
    const watched = followers(cluster, watchers).map((one) => ({ ...one, records: new Map(one.records) }));
    const isAgreed = watched.every((one) => differencesOf(one, snapshot).length === 0);
    if (isAgreed || performance.now() >= deadline) return { snapshot, watched };
    await delay(250);
  }
}

/**
 * Changes some guilds and erases one through each process, and returns the watchers that are not notified in time. An erasure
 * deletes what interrupted ones have left.
 */
export async function lateWatchers(
  cluster: Cluster,
  watchers: readonly Watcher[],
  recorder: Recorder,
): Promise<string[]> {
  const late: string[] = [];
  const waitForWatchers = async (isNotified: (watcher: Watcher) => boolean, what: string) => {
    let leftMs = NOTIFICATION_TIMEOUT_MS;
    while (leftMs > 0 && !watchers.every(isNotified)) {
      const startedAt = performance.now();
      await delay(LOOK_INTERVAL_MS);
      // The time in which a busy machine lets this process wait does not count: it lets the others wait as well.
      leftMs -= Math.min(performance.now() - startedAt, 2 * LOOK_INTERVAL_MS);
    }
    for (const watcher of watchers) if (!isNotified(watcher)) late.push(`${watcher.name} of ${what}`);
  };
  const [erased = ''] = cluster.erasable;
  for (const { index: process } of cluster.apis) {
    for (const guild of cluster.guilds.slice(0, 5)) {
      const revision = await retryWrite(recorder, { process, guild, mark: `last-${process}` });
      await waitForWatchers(
        (watcher) => (watcher.records.get(guild)?.revision ?? -1) >= revision,
        `revision ${revision}`,
      );
    }
    const revisionOf = ({ records }: Watcher) => records.get(erased)?.revision;
    const before = Math.max(...watchers.map((watcher) => revisionOf(watcher) ?? -1));
    await retryErase(recorder, { process, guild: erased });
    // The bot reports the guild again at once, which is a later revision.
    const isNotified = (watcher: Watcher) => (revisionOf(watcher) ?? Number.POSITIVE_INFINITY) > before;
    await waitForWatchers(isNotified, `the erasure of ${erased}`);
  }
  return late;
}
