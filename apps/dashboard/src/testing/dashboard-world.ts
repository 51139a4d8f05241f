import { randomBytes } from 'node:crypto';
import { createApp, readConfig } from '@guild-settings/api';
import type { DiscordSim } from '@guild-settings/discord-sim';
import { APPLICATION, GUILDS, PEOPLE, startWorld } from '@guild-settings/discord-sim/testing/world';
import { freePort, keepServiceErrors, ResourceStack, temporaryFolder } from '@guild-settings/testing';
import { readDashboardConfig } from '../config.ts';
import { createDashboard, type Dashboard, type DashboardOptions } from '../server/create-dashboard.ts';
import type { Browser, Visit } from './browser.ts';

/** Ids of the world that the tests live in. */
export const IDS = {
  application: APPLICATION.id,
  guild: GUILDS[0].id,
  otherGuild: '1197038439483310086',
  owner: PEOPLE.owner.id,
  manager: PEOPLE.manager.id,
} as const;

/** A dashboard of the tests. */
export interface TestDashboard {
  readonly url: string;
  readonly app: Dashboard;
  readonly databasePath: string;
  /** The lines that it has logged. */
  readonly log: () => string;
  /** Sends a request as a page does. */
  visit(browser: Browser, path: string, visit?: Visit): Promise<Response>;
  /** Calls a procedure of the service. */
  call(browser: Browser, procedure: string, input: unknown, visit?: Visit): Promise<Response>;
  /** Logs a person in, with all redirects. Returns the last response of the dashboard. */
  login(browser: Browser, options?: LoginOptions): Promise<Response>;
  close(): Promise<void>;
}

interface LoginOptions {
  readonly to?: string;
  readonly personId?: string;
  /** True: the person consents. True unless given. */
  readonly isGranted?: boolean;
  /** Changes the address to which Discord leads back. */
  readonly change?: (callback: URL) => void | Promise<void>;
}

/** Discord, the api and dashboards on one clock. */
export interface DashboardWorld extends AsyncDisposable {
  readonly discord: DiscordSim;
  readonly clock: { now: number };
  /** The address of the api. */
  readonly apiUrl: string;
  stopApi(): Promise<void>;
  startApi(): Promise<void>;
  /** Starts a dashboard; `env` changes its configuration. Dashboards of one world share its keys and its public address. */
  start(env?: NodeJS.ProcessEnv, options?: Pick<DashboardOptions, 'timeouts'>): Promise<TestDashboard>;
  readonly sessionKey: string;
}

/**
 * Starts Discord and the api on free ports.
 * @param apiEnv changes the configuration of the api
 */
export async function startDashboardWorld(apiEnv: NodeJS.ProcessEnv = {}): Promise<DashboardWorld> {
  await using resources = new ResourceStack();
  const folder = resources.use(temporaryFolder());
  const clock = { now: Date.now() };
  const now = () => clock.now;
  // All dashboards of a deployment have one address: that of the first one here.
  const port = await freePort();
  const publicUrl = `http://127.0.0.1:${port}`;
  const redirectUris = [`${publicUrl}/callback`, 'https://dashboard.example/callback'];
  const discord = resources.use(await startWorld({ clock: now, redirectUris }));
  const apiPort = await freePort();
  const apiUrl = `http://127.0.0.1:${apiPort}`;
  const application = { DISCORD_API_URL: discord.apiUrl, DISCORD_APPLICATION_ID: IDS.application };
  const createApi = async () => {
    const file = `file:${folder.file('api.db')}`;
    const config = readConfig({
      ...application,
      DATABASE_URL: file,
      LOG_LEVEL: 'silent',
      TRUST_PROXY: '127.0.0.1',
      ...apiEnv,
    });
    const api = await createApp(config, { clock: { nowMs: now, monotonicMs: now } });
    await api.listen({ host: '127.0.0.1', port: apiPort });
    return api;
  };
  let api = await createApi();
  resources.use({ [Symbol.asyncDispose]: () => api.close() });
  const sessionKey = randomBytes(32).toString('base64');
  let started = 0;

  const start: DashboardWorld['start'] = async (env = {}, options = {}) => {
    started += 1;
    const databasePath = folder.file(`dashboard-${started}.db`);
    const lines: string[] = [];
    const config = readDashboardConfig({
      ...application,
      DASHBOARD_URL: publicUrl,
      DISCORD_CLIENT_SECRET: APPLICATION.clientSecret,
      SESSION_KEY: sessionKey,
      API_URL: apiUrl,
      DATABASE_URL: `file:${databasePath}`,
      LOG_LEVEL: 'debug',
      TRUST_PROXY: '127.0.0.1',
      PORT: '0',
      ...env,
    });
    const write = (line: string) => {
      lines.push(line);
      keepServiceErrors(line);
    };
    const logger = { stream: { write } };
    const app = await createDashboard(config, { clock: now, logger, ...options });
    const url = await app.listen({ host: '127.0.0.1', port: started === 1 && env.PORT === undefined ? port : 0 });
    resources.use({ [Symbol.asyncDispose]: () => app.close() });
    const { host } = new URL(config.url);
    return dashboardAt({ url, app, databasePath, host, discord, log: () => lines.join('') });
  };

  const owned = resources.move();
  return {
    discord,
    clock,
    apiUrl,
    sessionKey,
    start,
    stopApi: async () => void (await api.close()),
    startApi: async () => {
      api = await createApi();
    },
    [Symbol.asyncDispose]: () => owned[Symbol.asyncDispose](),
  };
}

interface DashboardParts extends Pick<TestDashboard, 'url' | 'app' | 'databasePath' | 'log'> {
  /** The host by which browsers know it. */
  readonly host: string;
  readonly discord: DiscordSim;
}

function dashboardAt({ host, discord, ...dashboard }: DashboardParts): TestDashboard {
  const { url, app } = dashboard;
  const visit: TestDashboard['visit'] = (browser, path, { headers, ...more } = {}) =>
    browser.visit(`${url}${path}`, { ...more, headers: { 'x-forwarded-host': host, ...headers } });
  return {
    ...dashboard,
    visit,
    call(browser, procedure, input, more = {}) {
      const path = `/trpc/${procedure}`;
      return more.method === 'POST'
        ? visit(browser, path, { ...more, body: input })
        : visit(browser, `${path}?${new URLSearchParams({ input: JSON.stringify(input) })}`, more);
    },
    async login(browser, { to = '/', personId = IDS.manager, isGranted = true, change } = {}) {
      const begun = await visit(browser, `/login?${new URLSearchParams({ to })}`, { headers: FROM_DISCORD });
      const callback = await decide(discord, begun.headers.get('location') ?? '', { personId, authorize: isGranted });
      await change?.(callback);
      return visit(browser, `${callback.pathname}${callback.search}`, { headers: FROM_DISCORD });
    },
    close: async () => void (await app.close()),
  };
}

/** A person who comes from Discord's page. */
const FROM_DISCORD = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };

/** Decides on Discord's page. Returns the address to which it leads. */
async function decide(discord: DiscordSim, page: string, decision: object): Promise<URL> {
  const response = await fetch(page, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: discord.url },
    body: JSON.stringify(decision),
  });
  const { location } = (await response.json()) as { location: string };
  return new URL(location);
}
