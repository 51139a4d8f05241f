import { setTimeout as delay } from 'node:timers/promises';
import { differencesOf } from './checker/check.ts';
import type { Cluster } from './cluster/cluster.ts';
import type { Watched } from './history.ts';
import { type Recorder, retry } from './load/recorder.ts';
import type { Watcher } from './load/watcher.ts';

/** Time for watchers to catch up when no fault is active. */
const CATCH_UP_TIMEOUT_MS = 120_000;

/** Time for a notification when no fault is active: before the next bookmark. */
const NOTIFICATION_TIMEOUT_MS = 4_500;

const LOOK_INTERVAL_MS = 5;

/** The events of a bot without known events. */
const NOTHING = { received: [], disorder: [], repeats: [] };

/**
 * Waits until every follower agrees with the store, or the timeout has passed. Returns a snapshot of the store, and the
 * state of its followers right after it. Retention may erase more meanwhile, so the snapshot is from the moment of
 * agreement.
 */
export async function waitForAgreement(cluster: Cluster, watchers: readonly Watcher[]) {
  const deadline = performance.now() + CATCH_UP_TIMEOUT_MS;
  for (;;) {
    const snapshot = await cluster.database.read();
    const bots = cluster.bots.map((bot) => ({ name: bot.name, records: bot.records(), ...NOTHING }));
    const watched: Watched[] = [...watchers, ...bots].map((one) => ({ ...one, records: new Map(one.records) }));
    const isAgreed = watched.every((one) => differencesOf(one, snapshot).length === 0);
    if (isAgreed || performance.now() >= deadline) return { snapshot, watched };
    await delay(250);
  }
}

/**
 * Changes some guilds and erases one through each process, and returns the watchers that are not notified in time. An
 * erasure also deletes what interrupted ones have left.
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
      // Excludes the time for which a busy machine suspends this process, because it suspends the others as well.
      leftMs -= Math.min(performance.now() - startedAt, 2 * LOOK_INTERVAL_MS);
    }
    for (const watcher of watchers) if (!isNotified(watcher)) late.push(`${watcher.name} of ${what}`);
  };
  const [erased = ''] = cluster.erasable;
  for (const { index: process } of cluster.apis) {
    for (const guild of cluster.guilds.slice(0, 5)) {
      const { revision } = await retry(recorder, process, { guild, mark: `last-${process}` });
      await waitForWatchers(
        (watcher) => (watcher.records.get(guild)?.revision ?? -1) >= revision,
        `revision ${revision}`,
      );
    }
    const revisionOf = ({ records }: Watcher) => records.get(erased)?.revision;
    const before = Math.max(...watchers.map((watcher) => revisionOf(watcher) ?? -1));
    await retry(recorder, process, { guild: erased, erase: true });
    // The bot reports the guild again at once, which is a later revision.
    const isNotified = (watcher: Watcher) => (revisionOf(watcher) ?? Number.POSITIVE_INFINITY) > before;
    await waitForWatchers(isNotified, `the erasure of ${erased}`);
  }
  return late;
}

const RESTART_TIMEOUT_MS = 120_000;

/** Attempts of a request when no fault is active, because the machine may be busy. */
const MAX_TRIES = 30;

/**
 * Restores an older copy of the database while the watchers are stopped, and writes to it until it is ahead of their
 * cursors. Guilds of the copy are erased after it was made, through each process, and the processes are killed: the
 * ledgers must contain the erasures. Runs last, because writes acknowledged after the copy are lost. Returns the erased
 * data that came back, and the differences between followers and the store.
 */
export async function restoreOlderBackup(cluster: Cluster, watchers: readonly Watcher[], recorder: Recorder) {
  const { apis, database, guilds } = cluster;
  const half = Math.floor(guilds.length / 2);
  const erased = guilds.slice(-apis.length);
  const stop = (signal: NodeJS.Signals) => Promise.all(apis.map((api) => api.end(signal)));
  const start = async () => {
    await database.ensureUp(RESTART_TIMEOUT_MS);
    await Promise.all(apis.map((api) => api.ensureUp(RESTART_TIMEOUT_MS)));
  };
  const write = async (which: readonly string[], name: string) => {
    for (const [index, guild] of which.entries()) await retry(recorder, 0, { guild, mark: `${name}-${index}` });
  };

  await write(erased, 'erased');
  await stop('SIGTERM');
  const restore = await database.backUp();
  await start();
  await write(guilds.slice(0, half), 'lost');
  for (const [process, guild] of erased.entries()) await retry(recorder, process, { guild, erase: true });
  await waitForAgreement(cluster, watchers);
  await Promise.all(watchers.map((watcher) => watcher.stop()));
  await stop('SIGKILL');
  await restore();
  await start();
  const resurrected = await Promise.all(erased.map((guild) => foundOf(guild, cluster, recorder)));
  // To other guilds, and more of them: the watchers' revisions now belong to other changes.
  const rest = guilds.slice(half, -apis.length);
  await write(rest, 'kept');
  await write(rest, 'more');
  for (const watcher of watchers) watcher.start();
  const { snapshot, watched } = await waitForAgreement(cluster, watchers);
  const differences = watched.flatMap((one) => differencesOf(one, snapshot));
  return { differences: differences.map(afterRestore), resurrected: resurrected.flat().map(afterRestore) };
}

/** Returns what any process responds about an erased guild besides the defaults and an empty history. */
async function foundOf(guild: string, { apis }: Cluster, recorder: Recorder): Promise<string[]> {
  const found: string[] = [];
  for (const { index: process } of apis) {
    const { prefix } = await retry(recorder, process, { guild });
    if (prefix !== '!') found.push(`${guild} at process ${process}: ${prefix}`);
    const read = recorder.histories.length;
    for (let tries = 0; tries < MAX_TRIES && recorder.histories.length === read; tries += 1)
      await recorder.readHistory(process, guild, { limit: 100, count: 1 });
    const [history] = recorder.histories.slice(read);
    const lines = history?.lines.filter(({ to }) => to !== undefined) ?? ['it cannot be read'];
    for (const line of lines) found.push(`the history of ${guild} at process ${process}: ${JSON.stringify(line)}`);
  }
  return found;
}

function afterRestore(text: string): string {
  return `after an older copy was restored, ${text}`;
}
