import type { DiscordSim } from '@guild-settings/discord-sim';
import { startBrowser } from '@guild-settings/discord-sim/testing/browser';
import { APPLICATION, BOT, startWorld } from '@guild-settings/discord-sim/testing/world';
import { apiUrlOf, healthUrlOf, startService } from '@guild-settings/sandbox';
import { freePort, type Program, ResourceStack, temporaryFolder, waitUntil } from '@guild-settings/testing';
import type { Page } from 'playwright-core';
import { test as base } from 'vitest';
import { logIn, newProfile, type OpenOptions, openFirstTab } from './dashboard-pages.ts';
import { OwnGuild, type Person } from './own-guild.ts';

/** The service, the bot and the dashboard as processes, a simulated Discord, and a browser. */
export interface DashboardWorld extends AsyncDisposable {
  readonly discord: DiscordSim;
  readonly apiUrl: string;
  readonly dashboardUrl: string;
  /** Starts the api at its address, on its database. */
  startApi(): Promise<void>;
  /** Kills the api. */
  killApi(): Promise<void>;
  startBot(): Promise<void>;
  killBot(): Promise<void>;
  /** Sets the clock of Discord ahead, so that tokens expire. */
  advanceDiscord(ms: number): void;
  /** Returns what the dashboard has logged. */
  dashboardLog(): string;
  /** Adds a guild with the bot, an owner and a manager, for one test. */
  addGuild(name: string, options?: { readonly owner?: Person }): Promise<OwnGuild>;
  /** Opens a path of the dashboard in a profile of its own, in which nobody is logged in. Closing the page ends the profile. */
  visit(path: string, options?: OpenOptions): Promise<Page>;
  /** Logs a person in, in a profile of its own, and opens a path of the dashboard. */
  open(person: { readonly id: string }, path: string, options?: OpenOptions): Promise<Page>;
}

/**
 * Tests of one world for all files of a worker, which leave its programs running: to start one takes as long as several
 * tests. Each test has guilds and people of its own.
 */
export const test = base.extend(
  'world',
  { scope: 'worker' }, // biome-ignore lint/correctness/noEmptyPattern: Vitest reads from the pattern which fixtures this one needs.
  async ({}, { onCleanup }) => {
    const world = await startDashboardWorld();
    onCleanup(() => world[Symbol.asyncDispose]());
    return world;
  },
);

/**
 * The time for which a check of a token holds at the api, in seconds: permissions that are taken away are noticed after
 * it.
 */
const CHECK_SECONDS = '1';

/**
 * Starts a world with the users and guilds of the sandbox.
 * @param env configuration of the api
 * @param ofDashboard configuration of the dashboard
 */
export async function startDashboardWorld(
  env: NodeJS.ProcessEnv = {},
  ofDashboard: NodeJS.ProcessEnv = {},
): Promise<DashboardWorld> {
  await using resources = new ResourceStack();
  const folder = resources.use(temporaryFolder());
  const [apiPort, dashboardPort] = [await freePort(), await freePort()];
  const dashboardUrl = `http://127.0.0.1:${dashboardPort}`;
  let aheadMs = 0;
  const discord = resources.use(
    await startWorld({ clock: () => Date.now() + aheadMs, redirectUris: [`${dashboardUrl}/callback`] }),
  );
  const shared = {
    DISCORD_API_URL: discord.apiUrl,
    DISCORD_CDN_URL: discord.url,
    DISCORD_APPLICATION_ID: APPLICATION.id,
    DISCORD_CLIENT_SECRET: APPLICATION.clientSecret,
    DISCORD_BOT_TOKEN: BOT.token,
    API_URL: `http://127.0.0.1:${apiPort}`,
  };
  const programs: { api?: Program; bot?: Program } = {};

  const startApi = async () => {
    const config = {
      ...shared,
      PORT: String(apiPort),
      DATABASE_URL: `file:${folder.file('api.db')}`,
      AUTH_CACHE_TTL: CHECK_SECONDS,
      RATE_LIMIT_PER_MINUTE: '0',
      TRUST_PROXY: '127.0.0.1',
      ...env,
    };
    programs.api = startService('api', config);
    await apiUrlOf(programs.api);
  };
  const startBot = async () => {
    const own = { DASHBOARD_URL: dashboardUrl, HEALTH_PORT: '0', DATABASE_URL: `file:${folder.file('bot.db')}` };
    programs.bot = startService('bot', { ...shared, ...own });
    await healthUrlOf(programs.bot);
  };
  const dashboard = resources.use(
    startService('dashboard', {
      ...shared,
      DASHBOARD_URL: dashboardUrl,
      TRUST_PROXY: '127.0.0.1',
      PORT: String(dashboardPort),
      SESSION_KEY: Buffer.alloc(32, 7).toString('base64'),
      DATABASE_URL: `file:${folder.file('dashboard.db')}`,
      ...ofDashboard,
    }),
  );
  resources.use({ [Symbol.asyncDispose]: async () => void (await programs.api?.end('SIGKILL')) });
  resources.use({ [Symbol.asyncDispose]: async () => void (await programs.bot?.end('SIGKILL')) });
  const [browser] = await Promise.all([
    startBrowser(),
    startApi().then(startBot),
    dashboard.waitForOutput(/listening at/i),
  ]);
  // Pages have the name of the bot as soon as the service has said it.
  const document = async () => (await fetch(dashboardUrl)).text();
  await waitUntil(async () => (await document()).includes('application-name'), { message: 'the name of the bot' });
  resources.use({ [Symbol.asyncDispose]: () => browser.close() });
  const owned = resources.move();
  return {
    discord,
    apiUrl: shared.API_URL,
    dashboardUrl,
    startApi,
    startBot,
    killApi: async () => void (await programs.api?.end('SIGKILL')),
    killBot: async () => void (await programs.bot?.end('SIGKILL')),
    advanceDiscord(ms) {
      aheadMs += ms;
    },
    dashboardLog: () => dashboard.output(),
    addGuild: (name, { owner } = {}) => OwnGuild.add({ discord, apiUrl: shared.API_URL, name, owner }),
    visit: async (path, options) => openFirstTab(await newProfile(browser, options), `${dashboardUrl}${path}`),
    async open({ id: personId }, path, options) {
      const profile = await newProfile(browser, options);
      await logIn(profile, { dashboardUrl, personId });
      return openFirstTab(profile, `${dashboardUrl}${path}`);
    },
    [Symbol.asyncDispose]: () => owned[Symbol.asyncDispose](),
  };
}
