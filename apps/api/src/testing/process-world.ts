import type { DiscordSim } from '@guild-settings/discord-sim';
import { temporaryFolder } from '@guild-settings/testing';
import { type ApiProcess, startApiProcess } from './api-process.ts';
import { IDS, startWorld, type Tokens } from './people.ts';

/** The built service as a process, with its own folder and its own Discord, gone at the end of its scope. */
export interface ProcessWorld extends ApiProcess, AsyncDisposable {
  readonly folder: string;
  readonly discord: DiscordSim;
  readonly tokens: Tokens;
}

/** Starts the built service and a Discord for it. `env` changes its configuration. */
export async function processWorld(env: NodeJS.ProcessEnv = {}): Promise<ProcessWorld> {
  const folder = temporaryFolder();
  const { discord, tokens } = await startWorld(Date.now);
  const api = await startApiProcess({
    DATABASE_URL: `file:${folder.file('test.db')}`,
    DISCORD_API_URL: discord.apiUrl,
    DISCORD_APPLICATION_ID: IDS.application,
    ...env,
  });
  return {
    ...api,
    folder: folder.path,
    discord,
    tokens,
    async [Symbol.asyncDispose]() {
      await api.end('SIGKILL');
      await discord.close();
      folder[Symbol.dispose]();
    },
  };
}
