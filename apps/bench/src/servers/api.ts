import { fileURLToPath } from 'node:url';
import { APPLICATION_ID } from '../data/world.ts';
import { type Server, startServer } from './server.ts';

/** The built api, of this clone or of another one: to compare two versions. */
const MAIN = process.env.BENCH_API ?? fileURLToPath(new URL('../../../api/dist/main.js', import.meta.url));

export interface ApiOptions {
  readonly databaseUrl: string;
  readonly discordUrl: string;
  readonly place?: 'server' | 'anywhere';
  /** Another main.js of the api. */
  readonly file?: string;
  /** More of its environment. */
  readonly env?: NodeJS.ProcessEnv;
  /** A file for its log, which is otherwise kept in memory. */
  readonly outputFile?: string;
  /** Arguments of Node. */
  readonly execArgv?: readonly string[];
}

/** Starts the service as in production, but in one process, as its peers are, and without request logs and limits. */
export function startApi({
  databaseUrl,
  discordUrl,
  place = 'server',
  execArgv = [],
  file = MAIN,
  env = {},
  outputFile,
}: ApiOptions): Promise<Server> {
  return startServer({
    file,
    place,
    execArgv,
    ...(outputFile !== undefined && { outputFile }),
    env: {
      DATABASE_URL: databaseUrl,
      DISCORD_API_URL: discordUrl,
      DISCORD_APPLICATION_ID: APPLICATION_ID,
      RATE_LIMIT_PER_MINUTE: '0',
      CHANGE_LOG_BYTES_PER_DAY: '0',
      LOG_LEVEL: 'warn',
      WORKERS: '1',
      ...env,
    },
  });
}
