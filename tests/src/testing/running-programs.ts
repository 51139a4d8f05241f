import { fileURLToPath } from 'node:url';
import { APPLICATION, BOT, startWorld } from '@guild-settings/discord-sim/testing/world';
import { apiUrlOf, healthUrlOf } from '@guild-settings/sandbox';
import { freePort, type Program, ResourceStack, startProgram, temporaryFolder } from '@guild-settings/testing';

/** The programs of an installation. */
export const PROGRAMS = ['api', 'bot', 'dashboard'] as const;
export type ProgramName = (typeof PROGRAMS)[number];

/** The three programs as processes, with a simulated Discord. */
export interface RunningPrograms extends AsyncDisposable {
  readonly processes: Readonly<Record<ProgramName, Program>>;
  /** Where each program serves its health and metrics. */
  readonly urls: Readonly<Record<ProgramName, string>>;
}

/**
 * Starts the three programs.
 * @param mainOf returns the path of a program's module: in this repository, unless given
 * @param env variables of single programs
 */
export async function startPrograms(
  mainOf = (program: ProgramName) => fileURLToPath(new URL(`../../../apps/${program}/dist/main.js`, import.meta.url)),
  env: Partial<Record<ProgramName, NodeJS.ProcessEnv>> = {},
): Promise<RunningPrograms> {
  await using resources = new ResourceStack();
  const folder = resources.use(temporaryFolder());
  const [apiPort, dashboardPort] = [await freePort(), await freePort()];
  const [apiUrl, dashboardUrl] = [`http://127.0.0.1:${apiPort}`, `http://127.0.0.1:${dashboardPort}`];
  const discord = resources.use(await startWorld({ redirectUris: [`${dashboardUrl}/callback`] }));
  const start = (program: ProgramName, own: NodeJS.ProcessEnv) =>
    resources.use(
      startProgram({
        args: ['--enable-source-maps', mainOf(program)],
        env: {
          API_URL: apiUrl,
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
  const api = start('api', { PORT: String(apiPort) });
  await apiUrlOf(api);
  const bot = start('bot', { HEALTH_PORT: '0', DASHBOARD_URL: dashboardUrl });
  const SESSION_KEY = Buffer.alloc(32, 7).toString('base64');
  const dashboard = start('dashboard', { PORT: String(dashboardPort), DASHBOARD_URL: dashboardUrl, SESSION_KEY });
  const [botUrl] = await Promise.all([healthUrlOf(bot), dashboard.waitForOutput(/listening at/i)]);
  const owned = resources.move();
  return {
    processes: { api, bot, dashboard },
    urls: { api: apiUrl, bot: botUrl, dashboard: dashboardUrl },
    [Symbol.asyncDispose]: () => owned[Symbol.asyncDispose](),
  };
}
