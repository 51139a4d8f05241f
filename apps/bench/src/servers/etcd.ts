import { join } from 'node:path';
import { freePort } from '@guild-settings/testing';
import type { BenchContext } from '../context.ts';
import { isInstalled } from './program.ts';
import { type Server, startServer } from './server.ts';

/** Starts etcd with a folder of its own; undefined where it is not installed. */
export async function startEtcd({ folder, resources }: BenchContext): Promise<Server | undefined> {
  if (!isInstalled('etcd')) return undefined;
  const [client, peer] = [await freePort(), await freePort()];
  const url = `http://127.0.0.1:${client}`;
  return resources.use(
    await startServer({
      file: 'etcd',
      isNode: false,
      port: client,
      readyPath: '/health',
      env: {
        ETCD_DATA_DIR: join(folder, 'etcd'),
        ETCD_LISTEN_CLIENT_URLS: url,
        ETCD_ADVERTISE_CLIENT_URLS: url,
        ETCD_LISTEN_PEER_URLS: `http://127.0.0.1:${peer}`,
        ETCD_INITIAL_ADVERTISE_PEER_URLS: `http://127.0.0.1:${peer}`,
        ETCD_INITIAL_CLUSTER: `default=http://127.0.0.1:${peer}`,
        ETCD_LOG_LEVEL: 'error',
        // A production setting: without it, the log of changes is never compacted.
        ETCD_AUTO_COMPACTION_RETENTION: '1',
      },
    }),
  );
}
