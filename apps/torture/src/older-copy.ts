import { differing } from './checker/watchers.ts';
import type { Cluster } from './cluster/cluster.ts';
import { insist } from './load/insist.ts';
import type { Recorder } from './load/recorder.ts';
import type { Watcher } from './load/watcher.ts';
import { quiet } from './settle.ts';

const RESTART = 30_000;

/**
 * Puts an older copy of the database back while the watchers are away, and lets it come further than they were. Gives what
 * they differ in when they are back. It is the last thing of a run: what was acknowledged in between is gone, as it must.
 */
export async function putOlderCopyBack(
  cluster: Cluster,
  watchers: readonly Watcher[],
  recorder: Recorder,
): Promise<string[]> {
  const { apis, database, guilds } = cluster;
  const half = Math.floor(guilds.length / 2);
  const stop = () => Promise.all(apis.map((api) => api.end('SIGTERM')));
  const start = async () => {
    await database.ensureUp(RESTART);
    await Promise.all(apis.map((api) => api.ensureUp(RESTART)));
  };
  const write = async (which: readonly string[], name: string) => {
    for (const [index, guild] of which.entries())
      await insist(recorder, { process: 0, guild, mark: `${name}-${index}` });
  };

  await stop();
  const putBack = await database.backUp();
  await start();
  await write(guilds.slice(0, half), 'lost');
  await quiet(cluster, watchers);
  await Promise.all(watchers.map((watcher) => watcher.stop()));
  await stop();
  await putBack();
  await start();
  // Other guilds, and more of them: the revisions that the watchers saw are those of other changes now.
  await write(guilds.slice(half), 'kept');
  await write(guilds.slice(half), 'more');
  for (const watcher of watchers) watcher.start();
  const { snapshot, watched } = await quiet(cluster, watchers);
  return watched.flatMap((one) =>
    differing(one, snapshot).map((difference) => `with an older copy put back, ${difference}`),
  );
}
