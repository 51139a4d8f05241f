import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createGuildSettingsClient } from '@guild-settings/client';
import { LIMITS } from '@guild-settings/contract';
import type { BenchContext } from '../context.ts';
import { copyOf, type SeededFile, seedSqlite } from '../data/sqlite-file.ts';
import { startDiscord, TOKENS } from '../data/world.ts';
import { measurePeers } from '../rounds.ts';
import type { Row } from '../row.ts';
import { startApi } from '../servers/api.ts';
import { startPeer } from '../servers/peers.ts';
import type { Server } from '../servers/server.ts';
import type { SyncJob } from '../tasks/syncs.ts';
import { startTask } from '../tasks/task.ts';

const MISSED = 1_000;

/** The first synchronisation of a bot. */
export const resync: Row = {
  id: 'resync',
  what: 'a fresh replica takes in every guild, into memory and a file of its own',
  unit: 'ms',
  goal: { is: 'at most', ratio: 2 },
  async measure(context) {
    const file = await seedSqlite(context, 'guilds', context.profile.manyGuilds);
    const api = await startService(context, file);
    const lines = context.resources.use(await startPeer('json-lines', (await copyOf(file, 'json-lines')).path));
    const sync = context.resources.use(startTask<SyncJob, number>('syncs'));
    const guilds = file.ids.length;
    const measured = await measurePeers(context, [
      {
        name: 'ours',
        measure: () =>
          inFreshFile(context, (path) =>
            sync({ from: 'service', url: api.url, token: TOKENS.application, path, guilds }),
          ),
      },
      {
        name: 'json-lines',
        measure: () => inFreshFile(context, (path) => sync({ from: 'json-lines', url: lines.url, path, guilds })),
      },
    ]);
    return { ...measured, notes: [`${guilds.toLocaleString('en')} guilds`] };
  },
};

/** A bot reconnects after an interruption. */
export const resume: Row = {
  id: 'resume',
  what: `a replica catches up with ${MISSED.toLocaleString('en')} changes that it missed`,
  unit: 'ms',
  goal: { is: 'at most', ratio: 0.02 },
  async measure(context) {
    // The same size in all profiles: the goal applies to a hundredth of the guilds.
    const file = await seedSqlite(context, 'guilds', 100_000);
    const api = await startService(context, file);
    const sync = context.resources.use(startTask<SyncJob, number>('syncs'));
    const job = { from: 'service', url: api.url, token: TOKENS.application, guilds: file.ids.length } as const;
    const before = join(context.folder, 'before.db');
    await sync({ ...job, path: before });
    context.progress(`changing ${MISSED.toLocaleString('en')} guilds`);
    await change(api, spread(file.ids, MISSED));
    const measured = await measurePeers(context, [
      {
        name: 'ours',
        measure: () =>
          inFreshFile(context, async (path) => {
            await cp(before, path);
            return sync({ ...job, path });
          }),
      },
      { name: 'resync', measure: () => inFreshFile(context, (path) => sync({ ...job, path })) },
    ]);
    return { ...measured, notes: [`${file.ids.length.toLocaleString('en')} guilds`] };
  },
};

async function startService({ resources }: BenchContext, { path }: SeededFile): Promise<Server> {
  const discord = resources.use(await startDiscord([]));
  return resources.use(await startApi({ databaseUrl: `file:${path}`, discordUrl: discord.apiUrl }));
}

async function change({ url }: Server, ids: readonly string[]): Promise<void> {
  const client = createGuildSettingsClient({ url, token: TOKENS.application });
  for (let at = 0; at < ids.length; at += LIMITS.batchCalls) {
    const batch = ids.slice(at, at + LIMITS.batchCalls);
    await Promise.all(batch.map((guild) => client.guilds.update.mutate({ guild, prefix: '?missed' })));
  }
}

/** Picks ids that are spread over all guilds. */
function spread(ids: readonly string[], count: number): string[] {
  const step = Math.floor(ids.length / count);
  return ids.filter((_, index) => index % step === 0).slice(0, count);
}

async function inFreshFile(context: BenchContext, measure: (path: string) => Promise<number>): Promise<number> {
  const path = join(context.folder, 'fresh.db');
  try {
    return await measure(path);
  } finally {
    for (const suffix of ['', '-wal', '-shm']) await rm(path + suffix, { force: true });
  }
}
