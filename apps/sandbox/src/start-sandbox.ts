import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type App, type Config, createApp } from '@guild-settings/api';
import { type Bot, type BotOptions, startBot } from '@guild-settings/bot';
import { type DiscordSim, localHostsOnly } from '@guild-settings/discord-sim';
import { startWorld, tokenOf } from '@guild-settings/discord-sim/testing/world';
import { freePort, ResourceStack } from '@guild-settings/testing';
import { DEFAULT_PORTS, pageUrlOf, type SandboxConfig, type SimulatedDiscord } from './config.ts';
import { makeFirstChanges } from './first-changes.ts';
import { requireFreePorts, type ServerPort } from './free-ports.ts';
import { secondTab } from './second-tab.ts';

const DRAIN_TIMEOUT_MS = 8_000;

const LOOPBACK = '127.0.0.1';

export type SimulatorUrls = Pick<DiscordSim, 'url' | 'apiUrl' | 'chatUrl' | 'authorizeUrl'>;

export interface Sandbox extends AsyncDisposable {
  readonly apiUrl: string;
  /** The origin of the page; null: the api does not serve the page. */
  readonly dashboardUrl: string | null;
  /** The address of the page that logs another person in, beside the one at the page's origin; null: there is none. */
  readonly secondTabUrl: string | null;
  /** The URL of the documentation; null: it is not served at the origin of the page. */
  readonly docsUrl: string | null;
  readonly discord: Config['discord'];
  /** The simulated Discord that was started; null if another one is used, or the real one. */
  readonly simulator: DiscordSim | null;
  /** The chat page of the simulated Discord; null if the real one is used. */
  readonly chatUrl: string | null;
  readonly bot: Bot | null;
  /** The database of the settings: an absolute path, or a URL without its password. */
  readonly database: string;
  readonly botDatabasePath: string | null;
  /** Stops everything in reverse order, within ten seconds. Idempotent. */
  close(): Promise<void>;
}

export interface SandboxOptions {
  readonly clock?: () => number;
  readonly limits?: BotOptions['limits'];
  /** True: a database is created where a previous one was lost. False unless given. */
  readonly isNewDatabaseAllowed?: boolean;
  /** True: in a new SQLite file, two people have changed guilds of the simulated Discord before. False unless given. */
  readonly hasFirstChanges?: boolean;
  /** A running simulated Discord; if Discord is simulated, one is started unless given. */
  readonly simulator?: SimulatorUrls | undefined;
  /**
   * The URL of the api for clients, if a server in front of it listens there; the one on which it listens unless given.
   */
  readonly apiUrl?: string | undefined;
}

/**
 * Starts the configured parts. If one fails to start, stops the others.
 * @throws PortTakenError
 */
export async function startSandbox(given: SandboxConfig, options: SandboxOptions = {}): Promise<Sandbox> {
  const { clock = Date.now, limits, isNewDatabaseAllowed = false, hasFirstChanges = false } = options;
  await requireFreePorts(options.simulator ? servicePorts(given) : serverPorts(given));
  await using resources = new ResourceStack();
  const config = await withPort(given);
  const dashboardUrl = config.api.page?.url;
  const simulator =
    config.discord.kind === 'real' || options.simulator
      ? null
      : resources.use(await startDiscord(config.discord, dashboardUrl, clock));
  const simulated: SimulatorUrls | null = options.simulator ?? simulator;
  const apiConfig = simulated ? withSimulator(config.api, simulated) : config.api;
  const { discord } = apiConfig;
  // Tokens of the simulator are public; those of Discord are secret.
  const publicToken = simulated ? tokenOf('manager') : undefined;
  const second = simulated && secondTab(dashboardUrl);
  const { server, settings } = apiConfig;
  const isNew = config.api.database.kind === 'sqlite' && !existsSync(config.api.database.path);
  const localOnly = localHostsOnly(server.host);
  // Standard output is for the report.
  const log = given.hasPlainLog ? plainLog(process.stderr) : process.stderr;
  let behindMs = 0;
  const api = await createApp(apiConfig, {
    isNewDatabaseAllowed,
    publicToken,
    clock: { nowMs: () => clock() - behindMs, monotonicMs: clock },
    // The tokens of the sandbox are public, so DNS rebinding must not reach it.
    around: (serve) => localOnly(second?.around(serve) ?? serve),
    logger: { stream: log },
  });
  resources.use({ [Symbol.asyncDispose]: () => closeServer(api) });
  // For `localhost` Fastify opens a second server, on the IPv6 address.
  const ownUrl = await api.listen({ host: server.host === 'localhost' ? LOOPBACK : server.host, port: server.port });
  const apiUrl = options.apiUrl ?? ownUrl;
  if (hasFirstChanges && simulated && isNew) {
    const setBehind = (ms: number) => {
      behindMs = ms;
    };
    await makeFirstChanges({ apiUrl: ownUrl, settings, setBehind });
  }
  const botConfig = config.bot && {
    ...config.bot,
    apiUrl: ownUrl,
    dashboardUrl,
    discord: { ...config.bot.discord, apiUrl: discord.apiUrl },
  };
  const bot = botConfig && (await startBot(botConfig, { logTo: log, clock, ...(limits && { limits }) }));
  if (bot) resources.use({ [Symbol.asyncDispose]: () => bot.stop() });
  // The report of the sandbox suggests to write to the bot.
  await bot?.connected;
  const database = locationOf(config.api.database);
  const botDatabasePath = config.bot && resolve(config.bot.databasePath);
  const owned = resources.move();
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= owned[Symbol.asyncDispose]();
    return closing;
  };
  return {
    apiUrl,
    dashboardUrl: dashboardUrl ?? null,
    secondTabUrl: second?.url ?? null,
    docsUrl: docsUrlOf(apiUrl, dashboardUrl, simulated !== null),
    discord,
    simulator,
    chatUrl: simulated?.chatUrl ?? null,
    bot,
    database,
    botDatabasePath,
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Returns the configuration of an api that uses a simulated Discord for people, icons and consents. */
function withSimulator({ page, ...api }: Config, { url, apiUrl, authorizeUrl }: SimulatorUrls): Config {
  return {
    ...api,
    discord: { ...api.discord, apiUrl, authorizeUrl },
    page: page && { ...page, cdnUrl: url },
  };
}

/**
 * Returns the URL of /docs. The api does not serve it at the host of the page, and at other hosts only if tokens are
 * public.
 */
function docsUrlOf(apiUrl: string, dashboardUrl: string | undefined, hasPublicTokens: boolean): string | null {
  const url = new URL('/docs', apiUrl);
  if (dashboardUrl === undefined) return url.href;
  if (!hasPublicTokens) return null;
  url.hostname = new URL(dashboardUrl).hostname === 'localhost' ? LOOPBACK : 'localhost';
  return url.href;
}

function locationOf(database: Config['database']): string {
  if (database.kind === 'sqlite') return resolve(database.path);
  const url = new URL(database.url);
  url.password = '';
  return url.href;
}

export function serverPorts(config: SandboxConfig): ServerPort[] {
  if (config.discord.kind === 'real') return servicePorts(config);
  const { port } = config.discord;
  const variable = 'SIM_PORT';
  const simulator = { server: 'the simulated Discord', host: LOOPBACK, port, variable };
  return [...servicePorts(config), { ...simulator, defaultPort: DEFAULT_PORTS.simulator }];
}

function servicePorts({ api: { server }, bot }: SandboxConfig): ServerPort[] {
  const api = { server: 'the api', ...server, variable: 'PORT', defaultPort: DEFAULT_PORTS.api };
  if (bot === null) return [api];
  const health = { variable: 'HEALTH_PORT', defaultPort: DEFAULT_PORTS.health };
  return [api, { server: "the bot's health", ...bot.health, ...health }];
}

/**
 * Starts the simulated Discord of the sandbox.
 * @param dashboardUrl the origin of the page, to which people are redirected after a login
 */
export function startDiscord(
  { port, redirectUris }: SimulatedDiscord,
  dashboardUrl: string | undefined,
  clock: () => number = Date.now,
): Promise<DiscordSim> {
  const callbacks = dashboardUrl === undefined ? [] : [`${dashboardUrl}/callback`];
  return startWorld({ host: LOOPBACK, port, clock, redirectUris: [...callbacks, ...redirectUris] });
}

/** Returns a configuration whose page has its final port, because Discord has to know the URL in advance. */
export async function withPort(config: SandboxConfig): Promise<SandboxConfig> {
  const { server, page } = config.api;
  if (page === undefined || server.port !== 0) return config;
  const port = await freePort();
  const url = page.url === pageUrlOf('0') ? pageUrlOf(port) : page.url;
  return { ...config, api: { ...config.api, server: { ...server, port }, page: { ...page, url } } };
}

async function closeServer(server: App): Promise<void> {
  const drainTimer = setTimeout(() => server.server.closeAllConnections(), DRAIN_TIMEOUT_MS);
  await server.close().finally(() => clearTimeout(drainTimer));
}

/** Returns an output for logs that writes their lines as sentences, each where it differs from the one before. */
function plainLog(output: { write(text: string): unknown }): { write(line: string): void } {
  let last = '';
  return {
    write(line) {
      const sentence = sentenceOf(line);
      if (sentence !== last) output.write(sentence);
      last = sentence;
    },
  };
}

/** The level of errors in the log. */
const ERROR = 50;

function sentenceOf(line: string): string {
  const { level, msg, err } = JSON.parse(line);
  const cause = err?.message === undefined || err.message === msg ? '' : `: ${err.message}`;
  return `${msg}${cause}\n${level >= ERROR && err?.stack !== undefined ? `${err.stack}\n` : ''}`;
}
