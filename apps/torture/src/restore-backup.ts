import { differencesOf } from './checker/watchers.ts';
import type { Cluster } from './cluster/cluster.ts';
import type { Recorder } from './load/recorder.ts';
import { retryErase, retryRead, retryWrite } from './load/retry-write.ts';
import type { Watcher } from './load/watcher.ts';
import { waitForAgreement } from './settle.ts';

const RESTART_TIMEOUT_MS = 30_000;

/** Of a request when no fault is active: the machine may be busy. */
const MAX_TRIES = 30;

export interface RestoreAnomalies {
  readonly differences: readonly string[];
  /** Data that was erased after the copy was made, and is in it. */
  readonly resurrected: readonly string[];
}

/**
 * Restores an older copy of the database while the watchers are stopped, and writes to it until it is past their cursors. Guilds
 * of the copy are erased after it was made, through each process, and the processes are killed: the ledgers must have it. Runs
 * last: writes acknowledged after the copy are lost.
 */
export async function restoreOlderBackup(
  cluster: Cluster,
  watchers: readonly Watcher[],
  recorder: Recorder,
): Promise<RestoreAnomalies> {
  const { apis, database, guilds } = cluster;
  const half = Math.floor(guilds.length / 2);
  const erased = guilds.slice(-apis.length);
  const stop = (signal: NodeJS.Signals) => Promise.all(apis.map((api) => api.end(signal)));
  const start = async () => {
    await database.ensureUp(RESTART_TIMEOUT_MS);
    await Promise.all(apis.map((api) => api.ensureUp(RESTART_TIMEOUT_MS)));
  };
  const write = async (which: readonly string[], name: string) => {
    for (const [index, guild] of which.entries())
      await retryWrite(recorder, { process: 0, guild, mark: `${name}-${index}` });
  };

  await write(erased, 'erased');
  await stop('SIGTERM');
  const restore = await database.backUp();
  await start();
  await write(guilds.slice(0, half), 'lost');
  for (const [process, guild] of erased.entries()) await retryErase(recorder, { process, guild });
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

/** Returns what any process responds about an erased guild, beside the defaults and an empty history. */
async function foundOf(guild: string, { apis }: Cluster, recorder: Recorder): Promise<string[]> {
  const found: string[] = [];
  for (const { index: process } of apis) {
    const { prefix } = await retryRead(recorder, { process, guild });
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
