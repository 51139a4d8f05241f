import { type DiscordSim, startDiscordSim } from '@guild-settings/discord-sim';
import { startBrowser } from '@guild-settings/discord-sim/testing/browser';
import { apiUrlOf, healthUrlOf, startService } from '@guild-settings/sandbox';
import { APPLICATION, BOT, fillWorld } from '@guild-settings/sandbox/world';
import { freePort, type Program, ResourceStack, temporaryFolder } from '@guild-settings/testing';
import type { Browser, Page } from 'playwright-core';

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
  /** Opens a path of the dashboard in a profile of its own, in which nobody is logged in. */
  visit(path: string, options?: OpenOptions): Promise<Page>;
  /** Logs a person in on Discord's page, in a profile of its own, and opens a path of the dashboard. */
  open(person: { readonly id: string }, path: string, options?: OpenOptions): Promise<Page>;
}

interface OpenOptions {
  readonly viewport?: { readonly width: number; readonly height: number };
  readonly colorScheme?: 'light' | 'dark';
  readonly locale?: string;
}

/** How long a check of a token holds at the api, in seconds: permissions that are taken away are noticed after it. */
const CHECK_SECONDS = '1';

/** An image of one pixel. */
const PIXEL = Buffer.from('R0lGODlhAQABAAAAACwAAAAAAQABAAA=', 'base64');

/** Starts a world with the users and guilds of the sandbox. */
export async function startDashboardWorld(): Promise<DashboardWorld> {
  await using resources = new ResourceStack();
  const folder = resources.use(temporaryFolder());
  const [apiPort, dashboardPort] = [await freePort(), await freePort()];
  const dashboardUrl = `http://127.0.0.1:${dashboardPort}`;
  const discord = resources.use(await startDiscordSim());
  fillWorld(discord.world, { redirectUris: [`${dashboardUrl}/callback`] });
  const shared = {
    DISCORD_API_URL: discord.apiUrl,
    DISCORD_APPLICATION_ID: APPLICATION.id,
    DISCORD_CLIENT_SECRET: APPLICATION.clientSecret,
    DISCORD_BOT_TOKEN: BOT.token,
    API_URL: `http://127.0.0.1:${apiPort}`,
  };
  const programs: { api?: Program; bot?: Program } = {};

  const startApi = async () => {
    programs.api = startService('api', {
      ...shared,
      PORT: String(apiPort),
      DATABASE_URL: `file:${folder.file('api.db')}`,
      AUTH_CACHE_TTL: CHECK_SECONDS,
      RATE_LIMIT_PER_MINUTE: '0',
    });
    await apiUrlOf(programs.api);
  };
  const startBot = async () => {
    programs.bot = startService('bot', { ...shared, HEALTH_PORT: '0', DATABASE_URL: `file:${folder.file('bot.db')}` });
    await healthUrlOf(programs.bot);
  };
  const dashboard = resources.use(
    startService('dashboard', {
      ...shared,
      DASHBOARD_URL: dashboardUrl,
      PORT: String(dashboardPort),
      SESSION_KEY: Buffer.alloc(32, 7).toString('base64'),
      DATABASE_URL: `file:${folder.file('dashboard.db')}`,
    }),
  );
  resources.use({ [Symbol.asyncDispose]: async () => void (await programs.api?.end('SIGKILL')) });
  resources.use({ [Symbol.asyncDispose]: async () => void (await programs.bot?.end('SIGKILL')) });
  const [browser] = await Promise.all([
    startBrowser(),
    startApi().then(startBot),
    dashboard.waitForOutput(/listening at/i),
  ]);
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
    visit: (path, options) => visit(browser, `${dashboardUrl}${path}`, options),
    open: (person, path, options) => logIn(browser, { url: `${dashboardUrl}${path}`, personId: person.id, options }),
    [Symbol.asyncDispose]: () => owned[Symbol.asyncDispose](),
  };
}

interface LoginOptions {
  readonly url: string;
  readonly personId: string;
  readonly options: OpenOptions | undefined;
}

async function visit(browser: Browser, url: string, options: OpenOptions | undefined): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-US', ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  // Discord's server of images, which the simulator is not: it has none.
  await page.route('https://cdn.discordapp.com/**', (route) =>
    route.fulfill({ contentType: 'image/gif', body: PIXEL }),
  );
  await page.goto(url);
  return page;
}

async function logIn(browser: Browser, { url, personId, options }: LoginOptions): Promise<Page> {
  const page = await visit(browser, url, options);
  await page.locator('a[href^="/login"]').first().click();
  await page.locator('#person').selectOption(personId);
  await page.locator('#grant').click();
  await page.waitForURL(url);
  return page;
}
