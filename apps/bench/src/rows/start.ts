import { join } from 'node:path';
import { alternate } from '../alternate.ts';
import { guildIds } from '../data/guild-ids.ts';
import { seedSqlite } from '../data/sqlite-file.ts';
import { startDiscord } from '../data/world.ts';
import type { Lab } from '../lab.ts';
import type { Measured, Row } from '../row.ts';
import { startApi } from '../servers/api.ts';
import { startBot } from '../servers/bot.ts';
import { startPeer } from '../servers/peers.ts';
import type { Server } from '../servers/server.ts';
import type { FillJob } from '../tasks/fill-replica.ts';
import { startTask } from '../tasks/task.ts';

/** From the start of the api's process until it says that it is ready. */
export const startOfApi: Row = {
  id: 'start-api',
  what: "process start to ready, the api on a file of many guilds' settings",
  unit: 'ms',
  goal: { is: 'at most', ratio: 3 },
  async measure(lab) {
    const { path } = await seedSqlite(lab, 'guilds', lab.effort.many);
    const discordUrl = 'http://127.0.0.1:1/api';
    return besideBareFastify(lab, () => startApi({ databaseUrl: `file:${path}`, discordUrl }));
  },
};

/** From the start of the bot's process until it answers commands. */
export const startOfBot: Row = {
  id: 'start-bot',
  what: "process start to connected and ready, the bot with many guilds' settings in its file",
  unit: 'ms',
  goal: { is: 'at most', ratio: 3 },
  async measure(lab) {
    const { cleanUp, effort } = lab;
    const path = join(lab.folder, 'bot.db');
    await using fill = startTask<FillJob, number>('fill-replica');
    await fill({ path, guilds: effort.many });
    const discord = cleanUp.use(await startDiscord(guildIds(1)));
    return besideBareFastify(lab, () => startBot({ path, discordUrl: discord.apiUrl }));
  },
};

async function besideBareFastify(lab: Lab, start: () => Promise<Server>): Promise<Measured> {
  const readyAfter = async (starting: Promise<Server>): Promise<number> => {
    await using server = await starting;
    return server.readyAfter;
  };
  const found = await alternate(lab, [
    { name: 'ours', measure: () => readyAfter(start()) },
    { name: 'bare-fastify', measure: () => readyAfter(startPeer('bare-fastify', '')) },
  ]);
  return {
    ours: found.ours,
    peers: { 'bare-fastify': found['bare-fastify'] },
    notes: [`${lab.effort.many.toLocaleString('en')} guilds`],
  };
}
