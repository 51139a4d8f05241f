import { join } from 'node:path';
import { createSqlite } from '../data/sqlite-file.ts';
import { startDiscord, TOKENS } from '../data/world.ts';
import { measurePeers } from '../rounds.ts';
import type { Row } from '../row.ts';
import { startApi } from '../servers/api.ts';
import type { ImportJob } from '../tasks/imports.ts';
import { startTask } from '../tasks/task.ts';

/** The part of `manyGuilds` that is imported in one round. */
const PART_PER_ROUND = 0.2;

/** The settings of many guilds are brought along from another store. */
export const importOfGuilds: Row = {
  id: 'import',
  what: 'the settings of many guilds, imported by calls of 500 guilds',
  unit: 'guilds/s',
  goal: { is: 'at least', ratio: 0.3 },
  async measure(context) {
    const { resources, profile, folder } = context;
    const plain = join(folder, 'plain.db');
    await createSqlite(plain);
    const discord = resources.use(await startDiscord([]));
    const api = resources.use(
      await startApi({ databaseUrl: `file:${join(folder, 'service.db')}`, discordUrl: discord.apiUrl }),
    );
    const run = resources.use(startTask<ImportJob, number>('imports'));
    const guilds = profile.manyGuilds * PART_PER_ROUND;
    // Guilds that no earlier round has had.
    let from = 0;
    const next = () => {
      from += guilds;
      return { from, guilds };
    };
    const measured = await measurePeers(context, [
      { name: 'ours', measure: () => run({ to: 'service', url: api.url, token: TOKENS.application, ...next() }) },
      { name: 'plain-inserts', measure: () => run({ to: 'inserts', path: plain, ...next() }) },
    ]);
    return { ...measured, notes: [`${guilds.toLocaleString('en')} guilds in each round`] };
  },
};
