import { resolve } from 'node:path';
import { type App, type Config, createApp } from '@guild-settings/api';
import { type Bot, type BotConfig, type BotOptions, startBot } from '@guild-settings/bot';
import { answerLocalHostsOnly, type DiscordSim, startDiscordSim } from '@guild-settings/discord-sim';
import { type SandboxConfig, USUAL_PORTS } from './config.ts';
import { requireFreePorts } from './free-ports.ts';
import { fillWorld } from './world.ts';

/** How long requests under way may take to finish, in milliseconds. */
const DRAIN_TIME = 8_000;

const LOOPBACK = '127.0.0.1';

/** Everything that was started, in one process. */
export interface Sandbox extends AsyncDisposable {
  /** Where the api listens, without a slash at the end. */
  readonly apiUrl: string;
  readonly discord: Config['discord'];
  /** The simulated Discord; null when the api asks the real one. */
  readonly simulator: DiscordSim | null;
  /** The bot; null when none is configured. */
  readonly bot: Bot | null;
  /** Where the settings are kept: an absolute path, or an address without its password. */
  readonly database: string;
  /** Where the bot keeps its settings and reminders: an absolute path; null when there is no bot. */
  readonly botDatabasePath: string | null;
  /** Stops everything, the last started first, within ten seconds. May be called again. */
  close(): Promise<void>;
}

export interface SandboxOptions {
  /** Milliseconds since 1970, for the api and the simulated Discord; the system's clock unless given. */
  readonly clock?: () => number;
  /** The bot's limits; its own unless given. */
  readonly limits?: BotOptions['limits'];
  /** Whether a new database of the api may begin beside the traces of a lost one; false unless given. */
  readonly isNewDatabaseAllowed?: boolean;
}

/**
 * Starts what the configuration names. What has started is stopped again when something fails.
 * @throws PortTakenError
 */
export async function startSandbox(config: SandboxConfig, options: SandboxOptions = {}): Promise<Sandbox> {
  const { clock = Date.now, limits, isNewDatabaseAllowed = false } = options;
  await requireFreePorts(listeningParts(config));
  const running: (() => Promise<void>)[] = [];
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closed ??= stopAll(running);
    return closed;
  };
  try {
    const simulator = config.discord.kind === 'real' ? null : await startDiscord(config.discord.port, clock);
    if (simulator) running.push(() => simulator.close());
    const discord = simulator ? { ...config.api.discord, apiUrl: simulator.apiUrl } : config.api.discord;
    const api = await createApi({ ...config.api, discord }, { clock, isNewDatabaseAllowed });
    running.push(() => closeApi(api));
    const apiUrl = await listenLocally(api, config.api.server);
    const bot = config.bot && (await startBotFor(config.bot, { apiUrl, discordApiUrl: discord.apiUrl, clock, limits }));
    if (bot) running.push(() => bot.stop());
    // Its messages are what there is to see of it, so it is to be there when the sandbox says that it is running.
    await bot?.connected;
    const database = whereIs(config.api.database);
    const botDatabasePath = config.bot && resolve(config.bot.databasePath);
    return { apiUrl, discord, simulator, bot, database, botDatabasePath, close, [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}

function whereIs(database: Config['database']): string {
  if (database.kind === 'sqlite') return resolve(database.path);
  const url = new URL(database.url);
  url.password = '';
  return url.href;
}

function listeningParts({ api: { server }, bot, discord }: SandboxConfig) {
  const api = { part: 'the api', ...server, variable: 'PORT', usual: USUAL_PORTS.api };
  const health = bot && { part: "the bot's health", ...bot.health, variable: 'HEALTH_PORT', usual: USUAL_PORTS.health };
  const parts = health ? [api, health] : [api];
  if (discord.kind === 'real') return parts;
  const { port } = discord;
  return [
    ...parts,
    { part: 'the simulated Discord', host: LOOPBACK, port, variable: 'SIM_PORT', usual: USUAL_PORTS.simulator },
  ];
}

async function stopAll(running: readonly (() => Promise<void>)[]): Promise<void> {
  for (const stop of running.toReversed()) await stop();
}

async function startDiscord(port: number, clock: () => number): Promise<DiscordSim> {
  const simulator = await startDiscordSim({ host: LOOPBACK, port, clock });
  fillWorld(simulator.world);
  return simulator;
}

/** The api, logging to standard error: standard output is for what the sandbox prints. */
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

/** Pages on the web must not reach the api of the sandbox, whose tokens anyone knows, by a name that leads here. */
async function listenLocally(api: App, { host, port }: Config['server']): Promise<string> {
  await api.ready();
  answerLocalHostsOnly(api.server, host);
  // For `localhost` Fastify opens a second server, which would have no check.
  return api.listen({ host: host === 'localhost' ? LOOPBACK : host, port });
}

interface BotSurroundings {
  readonly apiUrl: string;
  readonly discordApiUrl: string;
  readonly clock: () => number;
  readonly limits: BotOptions['limits'] | undefined;
}

function startBotFor(config: BotConfig, { apiUrl, discordApiUrl, clock, limits }: BotSurroundings): Promise<Bot> {
  const own = { ...config, apiUrl, discord: { ...config.discord, apiUrl: discordApiUrl } };
  return startBot(own, { logTo: process.stderr, clock, ...(limits && { limits }) });
}

async function closeApi(api: App): Promise<void> {
  const cutOff = setTimeout(() => api.server.closeAllConnections(), DRAIN_TIME);
  await api.close().finally(() => clearTimeout(cutOff));
}
