import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startBrowser } from '@guild-settings/discord-sim/testing/browser';
import { APPLICATION, BOT, GUILDS, PEOPLE, startWorld, tokenOf } from '@guild-settings/discord-sim/testing/world';
import { freePort } from '@guild-settings/testing';
import { devices, type Page, type Response } from 'playwright-core';
import { Agent, request } from 'undici';
import { type BenchContext, measureRounds, median, type Row } from './bench.ts';
import { startServer } from './processes.ts';
import { startApi } from './service.ts';

const BOT_MAIN = fileURLToPath(new URL('../../bot/dist/main.js', import.meta.url));
const SETTINGS = `/guilds/${GUILDS[0].id}`;

/**
 * All calls with which an opened settings page reads, using its session, compared with the same calls using a token.
 */
const dashboardOpen: Row = {
  id: 'dashboard-open',
  unit: 'ms',
  goal: { maxRatio: 1.3 },
  isOnRequest: true,
  async measure(context) {
    const origin = await startDashboard(context);
    const browser = context.resources.use(await startBrowser());
    const profile = await browser.newContext({ locale: 'en-US' });
    const page = await profile.newPage();
    await page.goto(origin + SETTINGS);
    await logIn(page, origin);
    const calls = await callsOf(page, origin);
    const cookie = (await profile.cookies(origin)).map(({ name, value }) => `${name}=${value}`).join('; ');
    await profile.close();
    // The person who opened the page belongs to a session.
    const ofToken = calls.map(({ path, accept }) => ({ path: path.replace(/&requested-for=[^&]+/, ''), accept }));
    const candidate = (name: string, calls: readonly PageRequest[], headers: Record<string, string>) => ({
      name,
      measure: async (seconds: number) => ({ value: await timeOf(calls, origin, headers, seconds) }),
    });
    const series = await measureRounds(
      context,
      candidate('ours', calls, { cookie, 'sec-fetch-site': 'same-origin' }),
      candidate('with a token', ofToken, { authorization: `Bearer ${tokenOf('owner')}` }),
    );
    return { series };
  },
};

/** From a link to the settings, without a session, until the first change is live: a phone on slow 4G, in Hindi. */
const firstChange: Row = {
  id: 'dashboard-first-change',
  unit: 's',
  goal: { maxValue: 10 },
  isOnRequest: true,
  async measure(context) {
    const { resources, profile, progress } = context;
    const origin = await startDashboard(context);
    const browser = resources.use(await startBrowser());
    const values: number[] = [];
    for (let visit = 1; visit <= profile.rounds; visit++) {
      progress(`first change ${visit} of ${profile.rounds}`);
      // Each visitor has a browser without cookies and cached files.
      const visitor = await browser.newContext({ ...devices['Moto G4'], locale: 'hi-IN' });
      values.push(await makeFirstChange(await visitor.newPage(), origin, '?#'.charAt(visit % 2)));
      await visitor.close();
    }
    return { series: [{ name: 'ours', values }] };
  },
};

export const dashboardRows: readonly Row[] = [dashboardOpen, firstChange];

/**
 * Starts a simulated Discord, the api with the page, and the bot, and returns the URL of the page. They are not pinned
 * to cores.
 */
async function startDashboard({ resources, folder }: BenchContext): Promise<string> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const discord = resources.use(await startWorld({ redirectUris: [`${url}/callback`] }));
  const [place, discordUrl] = ['anywhere' as const, discord.apiUrl];
  const common = { DISCORD_BOT_TOKEN: BOT.token, DISCORD_CLIENT_SECRET: APPLICATION.clientSecret };
  const env = {
    ...common,
    DASHBOARD_URL: url,
    SESSION_KEY: randomBytes(32).toString('base64'),
    // Another site for browsers, like the real one.
    DISCORD_AUTHORIZE_URL: `${discord.url.replace('127.0.0.1', 'localhost')}/oauth2/authorize`,
  };
  const api = await startApi({ databaseUrl: `file:${join(folder, 'api.db')}`, discordUrl, place, port, env });
  const bot = await startServer({
    file: BOT_MAIN,
    place,
    portVariable: 'HEALTH_PORT',
    env: {
      ...common,
      API_URL: resources.use(api).url,
      DISCORD_APPLICATION_ID: APPLICATION.id,
      DISCORD_API_URL: discordUrl,
      DATABASE_URL: `file:${join(folder, 'bot.db')}`,
      LOG_LEVEL: 'error',
    },
  });
  resources.use(bot);
  return url;
}

/** Returns the seconds from following a link until the change is live. */
async function makeFirstChange(page: Page, origin: string, prefix: string): Promise<number> {
  await slowDown(page);
  const started = performance.now();
  await page.goto(origin + SETTINGS);
  await logIn(page, origin);
  await page.locator('[data-field=prefix] input').fill(prefix);
  await page.locator('[data-save-bar] [type=submit]').click();
  await page.locator('[data-save-bar] [data-good]').waitFor();
  return (performance.now() - started) / 1_000;
}

async function logIn(page: Page, origin: string): Promise<void> {
  await page.locator('a[href^="/login"]').click();
  await page.waitForURL(/oauth2\/authorize/, { waitUntil: 'commit' });
  await page.locator('#person').selectOption(PEOPLE.owner.id);
  await page.locator('#grant').click();
  await page.waitForURL(`${origin}/**`, { waitUntil: 'commit' });
}

/**
 * Slows the network and the processor down.
 * @see https://github.com/GoogleChrome/lighthouse/blob/main/docs/throttling.md (slow 4G, as DevTools applies it)
 */
async function slowDown(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 562.5,
    downloadThroughput: (1_474.56 * 1_024) / 8,
    uploadThroughput: (675 * 1_024) / 8,
  });
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
}

interface PageRequest {
  readonly path: string;
  readonly accept: string;
}

/** The last request of the page: the events of the guild. */
const LAST = '/trpc/guilds.follow';

/** Opens the settings, and returns its calls in order. */
async function callsOf(page: Page, origin: string): Promise<PageRequest[]> {
  const requests: PageRequest[] = [];
  page.on('request', (request) => {
    const { origin: of, pathname, search } = new URL(request.url());
    if (of !== origin || !pathname.startsWith('/trpc/') || request.method() !== 'GET') return;
    requests.push({ path: pathname + search, accept: request.headers().accept ?? '*/*' });
  });
  const isLast = (response: Response) => response.url().includes(LAST);
  await Promise.all([page.waitForResponse(isLast), page.goto(origin + SETTINGS)]);
  await page.locator('input[role="switch"]').first().waitFor();
  return requests;
}

/** Sends calls concurrently, repeatedly. Returns the median milliseconds until the end of the last response. */
async function timeOf(calls: readonly PageRequest[], origin: string, headers: Record<string, string>, seconds: number) {
  const times: number[] = [];
  const end = performance.now() + seconds * 1_000;
  do {
    const started = performance.now();
    await Promise.all(calls.map(({ path, accept }) => receive(origin + path, { ...headers, accept })));
    times.push(performance.now() - started);
  } while (performance.now() < end);
  return median(times);
}

/** The number of connections that a browser opens to one origin. */
const dispatcher = new Agent({ connections: 6 });

/** Receives a complete response; for a stream, its first event. */
async function receive(url: string, headers: Readonly<Record<string, string>>): Promise<void> {
  const { statusCode, body } = await request(url, { headers, dispatcher });
  if (statusCode !== 200) throw new Error(`Expected 200 of ${url}, received ${statusCode}`);
  let text = '';
  for await (const part of body.setEncoding('utf8')) {
    text += part;
    if (headers.accept === 'text/event-stream' && text.includes('"type":"guild"')) break;
  }
}
