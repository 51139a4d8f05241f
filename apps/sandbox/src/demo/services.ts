import type { DiscordSim } from '@guild-settings/discord-sim';
import { APPLICATION, BOT, startWorld } from '@guild-settings/discord-sim/testing/world';
import { freePort, type Program, ResourceStack, temporaryFolder } from '@guild-settings/testing';
import { apiUrlOf, healthUrlOf, startService } from '../service-process.ts';

/** The api and the bot as processes, which can be killed and restarted, and a simulated Discord. */
export interface DemoServices extends AsyncDisposable {
  readonly discord: DiscordSim;
  readonly apiUrl: string;
  kill(service: 'api' | 'bot'): Promise<void>;
  /** Starts a service on its file and waits until it is ready. */
  start(service: 'api' | 'bot'): Promise<void>;
}

/** Starts everything on free ports and empty files, which are deleted at the end of the scope. */
export async function startDemoServices(): Promise<DemoServices> {
  await using resources = new ResourceStack();
  const folder = resources.use(temporaryFolder());
  const discord = resources.use(await startWorld());
  // The api keeps its URL over restarts.
  const port = await freePort();
  const apiUrl = `http://127.0.0.1:${port}`;
  const application = { DISCORD_API_URL: discord.apiUrl, DISCORD_APPLICATION_ID: APPLICATION.id };
  const environments = {
    api: { ...application, PORT: String(port), DATABASE_URL: `file:${folder.file('guild-settings.db')}` },
    bot: {
      ...application,
      API_URL: apiUrl,
      DATABASE_URL: `file:${folder.file('bot.db')}`,
      DISCORD_CLIENT_SECRET: APPLICATION.clientSecret,
      DISCORD_BOT_TOKEN: BOT.token,
      HEALTH_PORT: '0',
    },
  };
  const waitUntilReady = { api: apiUrlOf, bot: healthUrlOf };
  const running = new Map<string, Program>();
  const startIn = async (stack: ResourceStack, service: 'api' | 'bot') => {
    const program = stack.use(startService(service, environments[service]));
    running.set(service, program);
    await waitUntilReady[service](program);
  };
  await startIn(resources, 'api');
  await startIn(resources, 'bot');
  const owned = resources.move();
  return {
    discord,
    apiUrl,
    start: (service) => startIn(owned, service),
    kill: async (service) => void (await running.get(service)?.end('SIGKILL')),
    [Symbol.asyncDispose]: () => owned[Symbol.asyncDispose](),
  };
}
