import { resolve } from 'node:path';
import { type App, type Config, createApp } from '@guild-settings/api';
import { type Bot, type BotConfig, type BotOptions, startBot } from '@guild-settings/bot';
import { acceptLocalHostsOnly, type DiscordSim, startDiscordSim } from '@guild-settings/discord-sim';
import { ResourceStack } from '@guild-settings/testing';
import { DEFAULT_PORTS, type SandboxConfig } from './config.ts';
import { requireFreePorts } from './free-ports.ts';
import { fillWorld } from './world.ts';

/** How long pending requests may take to finish. */
const DRAIN_TIMEOUT_MS = 8_000;

const LOOPBACK = '127.0.0.1';

/** A running sandbox, in one process. */
export interface Sandbox extends AsyncDisposable {
  /** The URL of the api, without a trailing slash. */
  readonly apiUrl: string;
  readonly discord: Config['discord'];
  /** The simulated Discord; null when the real one is used. */
  readonly simulator: DiscordSim | null;
  /** The bot; null when none is configured. */
  readonly bot: Bot | null;
  /** The database of the settings: an absolute path, or a URL without its password. */
  readonly database: string;
  /** The absolute path of the bot's file; null when there is no bot. */
  readonly botDatabasePath: string | null;
  /** Stops everything in reverse order, within ten seconds. Idempotent. */
  close(): Promise<void>;
}

export interface SandboxOptions {
  /** Milliseconds since 1970, for the api, the bot and the simulated Discord; the system's clock unless given. */
  readonly clock?: () => number;
  /** The bot's limits; its own unless given. */
  readonly limits?: BotOptions['limits'];
  /** Whether to create a database where a previous one was lost; false unless given. */
  readonly isNewDatabaseAllowed?: boolean;
}

/**
 * Starts what the configuration names. Stops what it has started when a part fails to start.
 * @throws PortTakenError
 */
export async function startSandbox(config: SandboxConfig, options: SandboxOptions = {}): Promise<Sandbox> {
  const { clock = Date.now, limits, isNewDatabaseAllowed = false } = options;
  await requireFreePorts(serverPorts(config));
  await using resources = new ResourceStack();
  const simulator = config.discord.kind === 'real' ? null : await startDiscord(config.discord.port, clock);
  if (simulator) resources.use(simulator);
  const discord = simulator
    ? { ...config.api.discord, apiUrl: simulator.apiUrl, authorizeUrl: simulator.authorizeUrl }
    : config.api.discord;
  const api = await createApi({ ...config.api, discord }, { clock, isNewDatabaseAllowed });
  resources.use({ [Symbol.asyncDispose]: () => closeApi(api) });
  const apiUrl = await listenLocally(api, config.api.server);
  const bot = config.bot && (await startBotFor(config.bot, { apiUrl, discordApiUrl: discord.apiUrl, clock, limits }));
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
  return { apiUrl, discord, simulator, bot, database, botDatabasePath, close, [Symbol.asyncDispose]: close };
}

function locationOf(database: Config['database']): string {
  if (database.kind === 'sqlite') return resolve(database.path);
  const url = new URL(database.url);
  url.password = '';
  return url.href;
}

function serverPorts({ api: { server }, bot, discord }: SandboxConfig) {
  const api = { server: 'the api', ...server, variable: 'PORT', defaultPort: DEFAULT_PORTS.api };
  const health = bot && {
    server: "the bot's health",
    ...bot.health,
    variable: 'HEALTH_PORT',
    defaultPort: DEFAULT_PORTS.health,
  };
  const parts = health ? [api, health] : [api];
  if (discord.kind === 'real') return parts;
  const { port } = discord;
  return [
    ...parts,
    {
      server: 'the simulated Discord',
      host: LOOPBACK,
      port,
      variable: 'SIM_PORT',
      defaultPort: DEFAULT_PORTS.simulator,
    },
  ];
}

async function startDiscord(port: number, clock: () => number): Promise<DiscordSim> {
  const simulator = await startDiscordSim({ host: LOOPBACK, port, clock });
  fillWorld(simulator.world);
  return simulator;
}

/** Creates the api with logs on standard error: standard output is for the report. */
function createApi(
  config: Config,
  { clock, isNewDatabaseAllowed }: Required<Pick<SandboxOptions, 'clock' | 'isNewDatabaseAllowed'>>,
): Promise<App> {
  return createApp(config, {
    isNewDatabaseAllowed,
    clock: { nowMs: clock, monotonicMs: clock },
    logger: { stream: process.stderr },
  });
}

/** Makes the api listen for local host names only: its tokens are public, so DNS rebinding must not reach it. */
async function listenLocally(api: App, { host, port }: Config['server']): Promise<string> {
  await api.ready();
  acceptLocalHostsOnly(api.server, host);
  // For `localhost` Fastify opens a second server, which would lack the check.
  return api.listen({ host: host === 'localhost' ? LOOPBACK : host, port });
}

interface BotStartOptions {
  readonly apiUrl: string;
  readonly discordApiUrl: string;
  readonly clock: () => number;
  readonly limits: BotOptions['limits'] | undefined;
}

function startBotFor(config: BotConfig, { apiUrl, discordApiUrl, clock, limits }: BotStartOptions): Promise<Bot> {
  const own = { ...config, apiUrl, discord: { ...config.discord, apiUrl: discordApiUrl } };
  return startBot(own, { logTo: process.stderr, clock, ...(limits && { limits }) });
}

async function closeApi(api: App): Promise<void> {
  const drainTimer = setTimeout(() => api.server.closeAllConnections(), DRAIN_TIMEOUT_MS);
  await api.close().finally(() => clearTimeout(drainTimer));
}
