import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DiscordSim, startDiscordSim } from '@guild-settings/discord-sim';
import { freePort, type Program } from '@guild-settings/testing';
import { apiUrlOf, healthUrlOf, startService } from '../service-process.ts';
import { APPLICATION, BOT, fillWorld } from '../world.ts';

/** The api and the bot as processes of their own, which can be killed and started again, and a simulated Discord. */
export interface Stage extends AsyncDisposable {
  readonly discord: DiscordSim;
  readonly apiUrl: string;
  /** Kills a part as the power's going would. */
  kill(part: 'api' | 'bot'): Promise<void>;
  /** Starts a part that was killed, on the same file, and waits until it is there. */
  start(part: 'api' | 'bot'): Promise<void>;
}

/** Starts everything on free ports and fresh files, gone at the end of its scope. */
export async function setStage(): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), 'guild-settings-demo-'));
  const discord = await startDiscordSim();
  fillWorld(discord.world);
  // The api keeps its address when it is started again, so it cannot take any port each time.
  const port = await freePort();
  const apiUrl = `http://127.0.0.1:${port}`;
  const environments = {
    api: {
      PORT: String(port),
      DATABASE_URL: `file:${folder}/guild-settings.db`,
      DISCORD_API_URL: discord.apiUrl,
      DISCORD_APPLICATION_ID: APPLICATION.id,
    },
    bot: {
      API_URL: apiUrl,
      DATABASE_URL: `file:${folder}/bot.db`,
      DISCORD_API_URL: discord.apiUrl,
      DISCORD_APPLICATION_ID: APPLICATION.id,
      DISCORD_CLIENT_SECRET: APPLICATION.clientSecret,
      DISCORD_BOT_TOKEN: BOT.token,
      HEALTH_PORT: '0',
    },
  };
  const addresses = { api: apiUrlOf, bot: healthUrlOf };
  const running = new Map<string, Program>();
  const start = async (part: 'api' | 'bot') => {
    const process = startService(part, environments[part]);
    running.set(part, process);
    await addresses[part](process);
  };
  const close = async () => {
    for (const process of running.values()) await process.end('SIGKILL');
    await discord.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await start('api');
    await start('bot');
  } catch (error) {
    await close();
    throw error;
  }
  return {
    discord,
    apiUrl,
    start,
    kill: async (part) => void (await running.get(part)?.end('SIGKILL')),
    [Symbol.asyncDispose]: close,
  };
}
