import { fileURLToPath } from 'node:url';
import { APPLICATION, BOT, startWorld } from '@guild-settings/discord-sim/testing/world';
import { apiUrlOf, healthUrlOf } from '@guild-settings/sandbox';
import { freePort, type Program, ResourceStack, startProgram, temporaryFolder } from '@guild-settings/testing';

export const PROGRAMS = ['api', 'bot'] as const;
export type ProgramName = (typeof PROGRAMS)[number];

/** The programs as processes, with a simulated Discord. */
export interface RunningPrograms extends AsyncDisposable {
  readonly processes: Readonly<Record<ProgramName, Program>>;
  /** The URL of each program's health checks and metrics. */
  readonly urls: Readonly<Record<ProgramName, string>>;
}

/**
 * Starts the programs. The api serves the page.
 * @param mainOf returns the path of a program's module; by default in this repository
 * @param env variables of single programs
 */
export async function startPrograms(
  mainOf = (program: ProgramName) => fileURLToPath(new URL(`../../../apps/${program}/dist/main.js`, import.meta.url)),
  env: Partial<Record<ProgramName, NodeJS.ProcessEnv>> = {},
): Promise<RunningPrograms> {
  await using resources = new ResourceStack();
  const folder = resources.use(temporaryFolder());
  const port = await freePort();
  const apiUrl = `http://127.0.0.1:${port}`;
  const discord = resources.use(await startWorld({ redirectUris: [`${apiUrl}/callback`] }));
  const start = (program: ProgramName, own: NodeJS.ProcessEnv) =>
    resources.use(
      startProgram({
        args: ['--enable-source-maps', mainOf(program)],
        env: {
          DASHBOARD_URL: apiUrl,
          DISCORD_API_URL: discord.apiUrl,
          DISCORD_APPLICATION_ID: APPLICATION.id,
          DISCORD_BOT_TOKEN: BOT.token,
          DISCORD_CLIENT_SECRET: APPLICATION.clientSecret,
          DATABASE_URL: `file:${folder.file(`${program}.db`)}`,
          TRUST_PROXY: '1',
          ...own,
          ...env[program],
        },
      }),
    );
  const api = start('api', { PORT: String(port), SESSION_KEY: Buffer.alloc(32, 7).toString('base64') });
  await apiUrlOf(api);
  const bot = start('bot', { API_URL: apiUrl, HEALTH_PORT: '0' });
  const botUrl = await healthUrlOf(bot);
  const owned = resources.move();
  return {
    processes: { api, bot },
    urls: { api: apiUrl, bot: botUrl },
    [Symbol.asyncDispose]: () => owned[Symbol.asyncDispose](),
  };
}
