import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { browserFile } from '@guild-settings/discord-sim/testing/browser';
import { APPLICATION, BOT, GUILDS, PEOPLE, startWorld, tokenOf } from '@guild-settings/discord-sim/testing/world';
import { freePort } from '@guild-settings/testing';
import lighthouse from 'lighthouse';
import { throttling } from 'lighthouse/core/config/constants.js';
import { type BrowserContext, chromium, type Page, type Response } from 'playwright-core';
import { type BenchContext, compareSeries, measureRounds, median, type Row } from './bench.ts';
import { handleJobs, startServer, startTask } from './processes.ts';
import { startApi } from './service.ts';

const BOT_MAIN = fileURLToPath(new URL('../../bot/dist/main.js', import.meta.url));
const SETTINGS = `/guilds/${GUILDS[0].id}`;
const MIN_PERFORMANCE = 98;

/**
 * All that an opened settings page reads with its session, beside the same calls with a token at the same server. And what Lighthouse
 * says of the pages.
 */
export const dashboardOpen: Row = {
  id: 'dashboard-open',
  unit: 'ms',
  goal: { is: 'at most', ratio: 1.3 },
  also: `Lighthouse: performance >= ${MIN_PERFORMANCE}, accessibility and best practices 100`,
  isOnRequest: true,
  async measure(context) {
    const { resources, folder, profile, progress } = context;
    const origin = await startDashboard(context);
    const task = resources.use(startTask<typeof tasks>('dashboard-rows', 'anywhere'));
    progress(`opening the page, and auditing it ${profile.visits} times`);
    const { cookie, requests, audits } = await task.run('open', { origin, folder, visits: profile.visits });
    const calls = requests.filter(({ path }) => path.startsWith('/trpc/'));
    // The person for whom the page was opened belongs to a session.
    const ofToken = calls.map(({ path, accept }) => ({ path: path.replace(/&requested-for=[^&]+/, ''), accept }));
    const repeat = (calls: readonly PageRequest[], headers: Record<string, string>) => (seconds: number) =>
      task.run('repeat', { origin, headers, requests: calls, seconds });
    const series = await measureRounds(context, [
      { name: 'ours', measure: repeat(calls, { cookie, 'sec-fetch-site': 'same-origin' }) },
      { name: 'with a token', measure: repeat(ofToken, { authorization: `Bearer ${tokenOf('owner')}` }) },
    ]);
    const failures = [...new Set(audits.flatMap(({ failed }) => failed))];
    const isMet = failures.length === 0 && audits.every(({ performance }) => performance >= MIN_PERFORMANCE);
    const scores = audits.map(({ page, performance }) => `${page} ${performance}`);
    return {
      ...compareSeries(series),
      also: { found: [...scores, ...failures].join(', '), isMet },
      notes: [`${calls.length} calls, beside ${requests.length - calls.length} other requests`],
    };
  },
};

/** From a link to the settings, without a session, until the first change is live: a phone on slow 4G, in Hindi. */
export const firstChange: Row = {
  id: 'dashboard-first-change',
  figure: 'A phone on slow 4G, from a link to the first change that is live',
  unit: 's',
  goal: { is: 'at most', ratio: 10 },
  isOnRequest: true,
  async measure(context) {
    const { resources, folder, profile, progress } = context;
    const origin = await startDashboard(context);
    const task = resources.use(startTask<typeof tasks>('dashboard-rows', 'anywhere'));
    progress(`making ${profile.visits} first changes`);
    const found = await task.run('makeFirstChanges', { origin, folder, visits: profile.visits });
    const [login, discord, settings, live] = (['login', 'discord', 'settings', 'live'] as const).map(
      (moment) => median(found.map((run) => run[moment])) / 1_000,
    );
    const part = `of which ${discord?.toFixed(1)} s at Discord`;
    return {
      ours: live ?? Number.NaN,
      peers: {},
      notes: [`the login after ${login?.toFixed(1)} s, the settings after ${settings?.toFixed(1)} s, ${part}`],
    };
  },
};

/** Starts a simulated Discord, the api with the page, and the bot, and returns the address of the page. None of them is pinned. */
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
    // Another site for browsers, as the real one is.
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

interface PageJob {
  readonly origin: string;
  readonly folder: string;
  readonly visits: number;
}

interface PageRequest {
  readonly path: string;
  readonly accept: string;
}

const tasks = {
  /** Logs in, opens the settings once, and audits each page. */
  async open({ origin, folder, visits }: PageJob) {
    const port = await freePort();
    const profile = await startBrowser(join(folder, 'profile'), { locale: 'en-US' }, port);
    const audit = async (page: string, path: string) => {
      const audits: Audit[] = [];
      for (let visit = 0; visit < visits; visit++) audits.push(await auditPage(origin + path, port));
      return {
        page,
        performance: median(audits.map((one) => one.performance)),
        failed: audits.flatMap(({ failed }) => failed),
      };
    };
    const login = await audit('login', '/');
    const page = await profile.newPage();
    await page.goto(origin + SETTINGS);
    await logIn(page, origin);
    const requests = await requestsOf(page, origin);
    const cookie = (await profile.cookies(origin)).map(({ name, value }) => `${name}=${value}`).join('; ');
    await page.close();
    const audits = [login, await audit('guilds', '/'), await audit('settings', SETTINGS)];
    await profile.close();
    return { cookie, requests, audits };
  },

  /** Sends requests at the same time, again and again. Returns the milliseconds until the end of the last response, at the median. */
  async repeat(job: { origin: string; headers: object; requests: readonly PageRequest[]; seconds: number }) {
    const times: number[] = [];
    const end = performance.now() + job.seconds * 1_000;
    do {
      const started = performance.now();
      await Promise.all(job.requests.map(({ path, accept }) => receive(job.origin + path, { ...job.headers, accept })));
      times.push(performance.now() - started);
    } while (performance.now() < end);
    return median(times);
  },

  /** Makes first changes of a person who follows a link and is not logged in. Returns milliseconds since the link was followed. */
  async makeFirstChanges({ origin, folder, visits }: PageJob) {
    const runs: Awaited<ReturnType<typeof makeFirstChange>>[] = [];
    for (let visit = 0; visit < visits; visit++) {
      const profile = await startBrowser(join(folder, `profile-${visit}`), PHONE);
      runs.push(await makeFirstChange(profile, origin, '?#'.charAt(visit % 2)));
      await profile.close();
    }
    return runs;
  },
};

const PHONE = {
  viewport: { width: 412, height: 823 },
  deviceScaleFactor: 1.75,
  isMobile: true,
  hasTouch: true,
  locale: 'hi-IN',
};

type BrowserOptions = NonNullable<Parameters<typeof chromium.launchPersistentContext>[1]>;

async function startBrowser(folder: string, options: BrowserOptions, port = 0): Promise<BrowserContext> {
  const args = ['--no-sandbox', '--disable-gpu', `--remote-debugging-port=${port}`];
  return chromium.launchPersistentContext(folder, { executablePath: await browserFile(), args, ...options });
}

async function makeFirstChange(profile: BrowserContext, origin: string, prefix: string) {
  const page = await profile.newPage();
  await slowDown(page);
  const started = performance.now();
  const since = () => performance.now() - started;
  await page.goto(origin + SETTINGS);
  const { login, discord } = await logIn(page, origin, since);
  const field = page.locator('[data-field=prefix] input');
  await field.waitFor();
  const settings = since();
  await field.fill(prefix);
  await page.locator('[data-save-bar] [type=submit]').click();
  await page.locator('[data-save-bar] [data-good]').waitFor();
  return { login, discord, settings, live: since() };
}

/** Logs in from the page, and returns when the login could be pressed, and how long Discord's page took. */
async function logIn(page: Page, origin: string, now = () => performance.now()) {
  const link = page.locator('a[href^="/login"]');
  await link.click();
  const login = now();
  await page.waitForURL(/oauth2\/authorize/, { waitUntil: 'commit' });
  const asked = now();
  await page.locator('#person').selectOption(PEOPLE.owner.id);
  await page.locator('#grant').click();
  await page.waitForURL(`${origin}/**`, { waitUntil: 'commit' });
  return { login, discord: now() - asked };
}

/** Slows the network and the processor down as Lighthouse does, here for real. */
async function slowDown(page: Page): Promise<void> {
  const { requestLatencyMs, downloadThroughputKbps, uploadThroughputKbps, cpuSlowdownMultiplier } =
    throttling.mobileSlow4G;
  const session = await page.context().newCDPSession(page);
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: requestLatencyMs,
    downloadThroughput: (downloadThroughputKbps * 1_024) / 8,
    uploadThroughput: (uploadThroughputKbps * 1_024) / 8,
  });
  await session.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdownMultiplier });
}

/** The last request of the page: the events of the guild. */
const LAST = '/trpc/guilds.follow';

/** Opens the settings, and returns the requests in their order, without files that a browser keeps after the first visit. */
async function requestsOf(page: Page, origin: string): Promise<PageRequest[]> {
  const requests: PageRequest[] = [];
  page.on('request', (request) => {
    const { origin: of, pathname, search } = new URL(request.url());
    if (of !== origin || pathname.startsWith('/assets/') || request.method() !== 'GET') return;
    requests.push({ path: pathname + search, accept: request.headers().accept ?? '*/*' });
  });
  const isLast = (response: Response) => response.url().includes(LAST);
  await Promise.all([page.waitForResponse(isLast), page.goto(origin + SETTINGS)]);
  await page.locator('input[role="switch"]').first().waitFor();
  return requests;
}

/** As many connections to one origin as a browser has. */
const agent = new Agent({ keepAlive: true, maxSockets: 6 });

/** Receives a whole response; of a stream, its first event. */
async function receive(url: string, headers: Readonly<Record<string, string>>): Promise<void> {
  const isStream = headers.accept === 'text/event-stream';
  const outgoing = request(url, { headers, agent: isStream ? false : agent }).end();
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  if (response.statusCode !== 200) throw new Error(`Expected 200 of ${url}, received ${response.statusCode}`);
  let text = '';
  for await (const part of response.setEncoding('utf8')) {
    text += part;
    if (isStream && text.includes('"type":"guild"')) break;
  }
}

interface Audit {
  readonly performance: number;
  /** Ids of the audits of accessibility and best practices that failed. */
  readonly failed: readonly string[];
}

/** Audits with Lighthouse's own defaults: a phone, "slow 4G" and a fourth of the speed, simulated; without a cache. */
async function auditPage(url: string, port: number): Promise<Audit> {
  const result = await lighthouse(url, {
    port,
    logLevel: 'error',
    onlyCategories: ['performance', 'accessibility', 'best-practices'],
    // Discord's server of images, which the simulator is not.
    blockedUrlPatterns: ['https://cdn.discordapp.com/*'],
  });
  const report = result?.lhr;
  if (report === undefined || report.runtimeError)
    throw new Error(`Expected a report of ${url}, received ${report?.runtimeError?.message}`);
  const { audits, categories } = report;
  const judged = ['accessibility', 'best-practices'].flatMap((category) => categories[category]?.auditRefs ?? []);
  return {
    performance: Math.round((categories.performance?.score ?? 0) * 100),
    failed: judged.filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 1).map(({ id }) => id),
  };
}

handleJobs('dashboard-rows', tasks);
