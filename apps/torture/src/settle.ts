import { setTimeout as delay } from 'node:timers/promises';
import { differing } from './checker/watchers.ts';
import type { Cluster } from './cluster/cluster.ts';
import type { Snapshot, Watched } from './history.ts';
import { insist } from './load/insist.ts';
import type { Recorder } from './load/recorder.ts';
import type { Watcher } from './load/watcher.ts';

/** How long watchers may take to be up to date once all is well, in milliseconds. */
const CATCH_UP = 30_000;

/** When all is well a watcher is told of a change within so many milliseconds: well before the next bookmark. */
const PROMPT = 2_500;

/** Everybody who follows the service, as they are now. */
function followers(cluster: Cluster, watchers: readonly Watcher[]): Watched[] {
  const bot = { name: 'the bot', records: cluster.bot.records(), told: [], disorder: [], repeats: [] };
  return [...watchers, bot];
}

/** The store at one moment, and its followers right after. */
export interface Agreement {
  readonly snapshot: Snapshot;
  readonly watched: readonly Watched[];
}

/**
 * Waits until every follower has what the store has, or the time is over. Retention may go on erasing meanwhile, so the
 * moment of agreement is what counts, and not a later one.
 */
export async function quiet(cluster: Cluster, watchers: readonly Watcher[]): Promise<Agreement> {
  const deadline = performance.now() + CATCH_UP;
  for (;;) {
    const snapshot = await cluster.database.read();
    const watched = followers(cluster, watchers).map((one) => ({ ...one, records: new Map(one.records) }));
    const isAgreed = watched.every((one) => differing(one, snapshot).length === 0);
    if (isAgreed || performance.now() >= deadline) return { snapshot, watched };
    await delay(250);
  }
}

/** Changes one guild through each process; the watchers that are not told in time. */
export async function toldLate(cluster: Cluster, watchers: readonly Watcher[], recorder: Recorder): Promise<string[]> {
  const late: string[] = [];
  for (const { index: process } of cluster.apis) {
    for (const guild of cluster.guilds.slice(0, 5)) {
      const revision = await insist(recorder, { process, guild, mark: `last-${process}` });
      const isTold = (watcher: Watcher) => (watcher.records.get(guild)?.revision ?? -1) >= revision;
      const deadline = performance.now() + PROMPT;
      while (performance.now() < deadline && !watchers.every(isTold)) await delay(5);
      for (const watcher of watchers) if (!isTold(watcher)) late.push(`${watcher.name} of revision ${revision}`);
    }
  }
  return late;
}
