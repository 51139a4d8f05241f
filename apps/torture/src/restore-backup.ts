import { differencesOf } from './checker/watchers.ts';
import type { Cluster } from './cluster/cluster.ts';
import type { Recorder } from './load/recorder.ts';
import { retryWrite } from './load/retry-write.ts';
import type { Watcher } from './load/watcher.ts';
import { waitForAgreement } from './settle.ts';

const RESTART_TIMEOUT_MS = 30_000;

/**
 * Restores an older copy of the database while the watchers are stopped, and writes to it until it is past their cursors.
 * Returns how the watchers differ from the store after they resume. Runs last: writes acknowledged after the copy are lost.
 */
export async function restoreOlderBackup(
  cluster: Cluster,
  watchers: readonly Watcher[],
  recorder: Recorder,
): Promise<string[]> {
  const { apis, database, guilds } = cluster;
  const half = Math.floor(guilds.length / 2);
  const stop = () => Promise.all(apis.map((api) => api.end('SIGTERM')));
  const start = async () => {
    await database.ensureUp(RESTART_TIMEOUT_MS);
    await Promise.all(apis.map((api) => api.ensureUp(RESTART_TIMEOUT_MS)));
  };
  const write = async (which: readonly string[], name: string) => {
    for (const [index, guild] of which.entries())
      await retryWrite(recorder, { process: 0, guild, mark: `${name}-${index}` });
  };

  await stop();
  const restore = await database.backUp();
  await start();
  await write(guilds.slice(0, half), 'lost');
  await waitForAgreement(cluster, watchers);
  await Promise.all(watchers.map((watcher) => watcher.stop()));
  await stop();
  await restore();
  await start();
  // To other guilds, and more of them: the watchers' revisions now belong to other changes.
  await write(guilds.slice(half), 'kept');
  await write(guilds.slice(half), 'more');
  for (const watcher of watchers) watcher.start();
  const { snapshot, watched } = await waitForAgreement(cluster, watchers);
  return watched.flatMap((one) =>
    differencesOf(one, snapshot).map((difference) => `after an older copy was restored, ${difference}`),
  );
}
