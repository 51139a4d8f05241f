import cluster from 'node:cluster';

/** Variables of the environment that mark a worker of this program. Cluster managers such as PM2 start processes, too. */
export const OWN_WORKER = { GUILD_SETTINGS_WORKER: 'true' } as const;

/** Returns whether this process is a worker that the first process of this program has started. */
export function isOwnWorker(): boolean {
  // biome-ignore lint/style/noProcessEnv: no operator sets it.
  return cluster.isWorker && process.env.GUILD_SETTINGS_WORKER === OWN_WORKER.GUILD_SETTINGS_WORKER;
}
