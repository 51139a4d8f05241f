import type { DiscordSim } from '@guild-settings/discord-sim';
import { startBrowser } from '@guild-settings/discord-sim/testing/browser';
import { APPLICATION, BOT, startWorld } from '@guild-settings/discord-sim/testing/world';
import { apiUrlOf, healthUrlOf, startService } from '@guild-settings/sandbox';
import { freePort, type Program, ResourceStack, temporaryFolder, waitUntil } from '@guild-settings/testing';
import type { Page } from 'playwright-core';
import { test as base } from 'vitest';
import { logIn, newProfile, type OpenOptions, openFirstTab } from './dashboard-pages.ts';
import { OwnGuild, type Person } from './own-guild.ts';

/** The service with the page and the bot as processes, a simulated Discord, and a browser. */
export interface DashboardWorld extends AsyncDisposable {
  readonly discord: DiscordSim;
  /** The URL of the service, which also serves the page. */
  readonly url: string;
  /** Starts the api at its URL, on its database. */
  startApi(): Promise<void>;
  killApi(): Promise<void>;
  startBot(): Promise<void>;
  killBot(): Promise<void>;
  /** Advances the clock of Discord, so that tokens expire. */
  advanceDiscord(ms: number): void;
  /** Returns what the api has logged since it was started. */
  log(): string;
  /** Adds a guild with the bot, an owner and a manager, for one test. */
  addGuild(name: string, options?: { readonly owner?: Person }): Promise<OwnGuild>;
  /** Opens a path of the page in a separate profile, without a login. Closing the page ends the profile. */
  visit(path: string, options?: OpenOptions): Promise<Page>;
  /** Logs a person in, in a separate profile, and opens a path of the page. */
  open(person: { readonly id: string }, path: string, options?: OpenOptions): Promise<Page>;
}

/**
 * Tests that share a world with all files of a worker, whose programs keep running, because starting one takes as long
 * as several tests. Each test has its own guilds and people.
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

/** Time for which a token check is valid at the api, in seconds: revoked permissions are noticed after it. */
const CHECK_SECONDS = '1';

/** Starts a world with the users and guilds of the sandbox. `env` configures the api. */
export async function startDashboardWorld(env: NodeJS.ProcessEnv = {}): Promise<DashboardWorld> {
  await using resources = new ResourceStack();
  const folder = resources.use(temporaryFolder());
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  let aheadMs = 0;
  const discord = resources.use(
    await startWorld({ clock: () => Date.now() + aheadMs, redirectUris: [`${url}/callback`] }),
  );
  const shared = {
    DASHBOARD_URL: url,
    DISCORD_API_URL: discord.apiUrl,
    DISCORD_APPLICATION_ID: APPLICATION.id,
    DISCORD_CLIENT_SECRET: APPLICATION.clientSecret,
    DISCORD_BOT_TOKEN: BOT.token,
  };
  const programs: { api?: Program; bot?: Program } = {};

  const startApi = async () => {
    const config = {
      ...shared,
      DISCORD_CDN_URL: discord.url,
      SESSION_KEY: Buffer.alloc(32, 7).toString('base64'),
      PORT: String(port),
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
    const own = { API_URL: url, HEALTH_PORT: '0', DATABASE_URL: `file:${folder.file('bot.db')}` };
    programs.bot = startService('bot', { ...shared, ...own });
    await healthUrlOf(programs.bot);
  };
  resources.use({ [Symbol.asyncDispose]: async () => void (await programs.api?.end('SIGKILL')) });
  resources.use({ [Symbol.asyncDispose]: async () => void (await programs.bot?.end('SIGKILL')) });
  const [browser] = await Promise.all([startBrowser(), startApi().then(startBot)]);
  // Pages have the name of the bot as soon as Discord has returned it.
  const document = async () => (await fetch(url, { headers: { accept: 'text/html' } })).text();
  await waitUntil(async () => (await document()).includes('application-name'), { message: 'the name of the bot' });
  resources.use({ [Symbol.asyncDispose]: () => browser.close() });
  const owned = resources.move();
  return {
    discord,
    url,
    startApi,
    startBot,
    killApi: async () => void (await programs.api?.end('SIGKILL')),
    killBot: async () => void (await programs.bot?.end('SIGKILL')),
    advanceDiscord(ms) {
      aheadMs += ms;
    },
    log: () => programs.api?.output() ?? '',
    addGuild: (name, { owner } = {}) => OwnGuild.add({ discord, apiUrl: url, name, owner }),
    visit: async (path, options) => openFirstTab(await newProfile(browser, options), `${url}${path}`),
    async open({ id: personId }, path, options) {
      const profile = await newProfile(browser, options);
      await logIn(profile, { url, personId });
      return openFirstTab(profile, `${url}${path}`);
    },
    [Symbol.asyncDispose]: () => owned[Symbol.asyncDispose](),
  };
}
