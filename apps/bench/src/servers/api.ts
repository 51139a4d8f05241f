import { fileURLToPath } from 'node:url';
import type { BenchContext } from '../context.ts';
import { APPLICATION_ID, startDiscord } from '../data/world.ts';
import type { PlacedProgramOptions } from './program.ts';
import { type Server, type ServerOptions, startServer } from './server.ts';

/** The built api, of this clone or of another one: to compare two versions. */
const MAIN = process.env.BENCH_API ?? fileURLToPath(new URL('../../../api/dist/main.js', import.meta.url));

export interface ApiOptions extends Omit<ServerOptions, 'file' | 'portVariable'> {
  readonly databaseUrl: string;
  readonly discordUrl: string;
}

/** Starts a simulated Discord in which people own some guilds, and the service on a SQLite file. They end with the row. */
export async function serveFile(
  { resources }: Pick<BenchContext, 'resources'>,
  path: string,
  { owned = [], ...options }: Omit<PlacedProgramOptions, 'file'> & { readonly owned?: readonly string[] } = {},
): Promise<Server> {
  const discord = resources.use(await startDiscord(owned));
  return resources.use(await startApi({ databaseUrl: `file:${path}`, discordUrl: discord.apiUrl, ...options }));
}

/** Starts the service as in production, but without request logs and limits unless `env` has them. */
export function startApi({ databaseUrl, discordUrl, env = {}, ...options }: ApiOptions): Promise<Server> {
  return startServer({
    ...options,
    file: MAIN,
    env: {
      DATABASE_URL: databaseUrl,
      DISCORD_API_URL: discordUrl,
      DISCORD_APPLICATION_ID: APPLICATION_ID,
      RATE_LIMIT_PER_MINUTE: '0',
      CHANGE_LOG_BYTES_PER_DAY: '0',
      LOG_LEVEL: 'warn',
      ...env,
    },
  });
}
