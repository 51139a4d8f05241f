import { join } from 'node:path';
import type { BenchContext } from '../context.ts';
import { guildIds } from '../data/guild-ids.ts';
import { seedSqlite } from '../data/sqlite-file.ts';
import { startDiscord } from '../data/world.ts';
import { measurePeers } from '../rounds.ts';
import type { Measurement, Row } from '../row.ts';
import { startApi } from '../servers/api.ts';
import { startBot } from '../servers/bot.ts';
import { startPeer } from '../servers/peers.ts';
import type { Server } from '../servers/server.ts';
import type { FillJob } from '../tasks/fill-replica.ts';
import { startTask } from '../tasks/task.ts';

/** From the start of the api's process until /readyz succeeds. */
export const startOfApi: Row = {
  id: 'start-api',
  what: "process start to ready, the api on a file of many guilds' settings",
  unit: 'ms',
  goal: { is: 'at most', ratio: 3 },
  async measure(context) {
    const { path } = await seedSqlite(context, 'guilds', context.profile.manyGuilds);
    const discordUrl = 'http://127.0.0.1:1/api';
    return compareToBareFastify(context, () => startApi({ databaseUrl: `file:${path}`, discordUrl }));
  },
};

/** From the start of the bot's process until it handles commands. */
export const startOfBot: Row = {
  id: 'start-bot',
  what: "process start to connected and ready, the bot with many guilds' settings in its file",
  unit: 'ms',
  goal: { is: 'at most', ratio: 3 },
  async measure(context) {
    const { resources, profile } = context;
    const path = join(context.folder, 'bot.db');
    await using fill = startTask<FillJob, number>('fill-replica');
    await fill({ path, guilds: profile.manyGuilds });
    const discord = resources.use(await startDiscord(guildIds(1)));
    return compareToBareFastify(context, () => startBot({ path, discordUrl: discord.apiUrl }));
  },
};

async function compareToBareFastify(context: BenchContext, start: () => Promise<Server>): Promise<Measurement> {
  const readyAfterMs = async (starting: Promise<Server>): Promise<number> => {
    await using server = await starting;
    return server.readyAfterMs;
  };
  const measured = await measurePeers(context, [
    { name: 'ours', measure: () => readyAfterMs(start()) },
    { name: 'bare-fastify', measure: () => readyAfterMs(startPeer('bare-fastify', '')) },
  ]);
  return { ...measured, notes: [`${context.profile.manyGuilds.toLocaleString('en')} guilds`] };
}
