import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { copyOf, seedSqlite } from '../data/sqlite-file.ts';
import { TOKENS } from '../data/world.ts';
import { measurePeers } from '../rounds.ts';
import type { Row } from '../row.ts';
import { serveFile } from '../servers/api.ts';
import { startPeer } from '../servers/server.ts';
import type { SyncJob } from '../tasks/syncs.ts';
import { startTask } from '../tasks/task.ts';

/** A fresh replica receives every guild, into memory and a file of its own. */
export const resync: Row = {
  id: 'resync',
  unit: 'ms',
  goal: { is: 'at most', ratio: 2 },
  async measure(context) {
    const { resources, folder, profile } = context;
    const file = await seedSqlite(context, 'guilds', profile.manyGuilds);
    const api = await serveFile(context, file.path);
    const lines = resources.use(await startPeer('json-lines', (await copyOf(file, 'json-lines')).path));
    const sync = resources.use(startTask<SyncJob, number>('syncs'));
    const path = join(folder, 'fresh.db');
    const syncFrom = (from: SyncJob['from'], url: string) => async () => {
      for (const suffix of ['', '-wal', '-shm']) await rm(path + suffix, { force: true });
      return sync({ from, url, token: TOKENS.application, path, guilds: file.ids.length });
    };
    const measured = await measurePeers(context, [
      { name: 'ours', measure: syncFrom('service', api.url) },
      { name: 'json-lines', measure: syncFrom('json-lines', lines.url) },
    ]);
    return { ...measured, notes: [`${file.ids.length.toLocaleString('en')} guilds`] };
  },
};
