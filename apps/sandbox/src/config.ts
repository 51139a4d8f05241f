import { randomBytes } from 'node:crypto';
import { type Config, readConfig, readFileOrModule } from '@guild-settings/api';
import { type BotConfig, readBotConfig } from '@guild-settings/bot';
import { isRegistrableUri } from '@guild-settings/discord-sim';
import { APPLICATION, BOT } from '@guild-settings/discord-sim/testing/world';
import { EnvironmentError, type EnvironmentIssue } from '@guild-settings/runtime/environment';

export interface SandboxConfig {
  /** The api, with the page if there is a client secret. Its URLs are replaced by the actual ones. */
  readonly api: Config;
  /** The bot. Its URLs are replaced by the actual ones of the api and the simulator. null: no bot is started. */
  readonly bot: BotConfig | null;
  /** The simulator with its port, or the Discord in the api's configuration. */
  readonly discord: SimulatedDiscord | { readonly kind: 'real' };
  /** True: the log is for a person, because no LOG_LEVEL is given. */
  readonly hasPlainLog: boolean;
}

export interface SimulatedDiscord {
  readonly kind: 'simulated';
  readonly port: number;
  /** Redirect URIs of the application, besides the page's. */
  readonly redirectUris: readonly string[];
}

/** The key of the simulated Discord's sessions, which is useless outside this machine. */
const SESSION_KEY = '00'.repeat(32);

/** The ports unless the environment sets others. */
export const DEFAULT_PORTS = { api: 3_000, simulator: 3_001, health: 3_002 } as const;

/** Variables of a Discord application. If one is set, the sandbox uses the real Discord. */
const DISCORD_KEYS = ['DISCORD_APPLICATION_ID', 'DISCORD_API_URL'];

const SECRET_KEYS = ['DISCORD_CLIENT_SECRET', 'DISCORD_BOT_TOKEN'];

/**
 * Reads the configuration, by default from this process's environment. Discord is simulated unless a variable of an
 * application is set.
 * @throws EnvironmentError listing every invalid variable
 */
export function readSandboxConfig(env: NodeJS.ProcessEnv = process.env): SandboxConfig {
  const quiet = { ...env, LOG_LEVEL: env.LOG_LEVEL || 'warn' };
  const read = [...DISCORD_KEYS, ...SECRET_KEYS].some((key) => has(env, key)) ? readReal : readSimulated;
  return { ...read(quiet), hasPlainLog: !env.LOG_LEVEL };
}

function has(env: NodeJS.ProcessEnv, key: string): boolean {
  return Boolean(env[key] || env[`${key}_FILE`]);
}

function readReal(env: NodeJS.ProcessEnv): Omit<SandboxConfig, 'hasPlainLog'> {
  const hasBot = SECRET_KEYS.some((key) => has(env, key)) && env.BOT !== 'off';
  const pageUrl = has(env, 'DISCORD_CLIENT_SECRET') ? pageUrlOf(env.PORT) : undefined;
  const apiEnv = { ...withSessionKey(env), DASHBOARD_URL: env.DASHBOARD_URL || pageUrl };
  const { api, bot, issues } = readParts(apiEnv, hasBot ? env : null);
  const own = ownAddress(env);
  if (own !== undefined) {
    const message = `expected another Discord, received ${own}, where the sandbox simulates its own; if another one listens there, set SIM_PORT to another port`;
    issues.push({ key: 'DISCORD_API_URL', message });
  }
  if (api && issues.length === 0) return { api, bot, discord: { kind: 'real' } };
  throw new EnvironmentError(issues, 'Unset every DISCORD_* variable to try the sandbox with a simulated Discord.');
}

/** Names and addresses by which this machine reaches itself, as `URL` writes them. */
const OWN_HOST =
  /^(?:(?:.+\.)?localhost\.?|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\]|\[::ffff:(?:7f[\da-f]{2}:[\da-f]{1,4}|0:0)\])$/;

/** Returns DISCORD_API_URL where it is the address of the Discord that the sandbox simulates: shells of examples have it set. */
function ownAddress({ DISCORD_API_URL: address = '', SIM_PORT }: NodeJS.ProcessEnv): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const { hostname, port, origin } = new URL(address);
  return port === (SIM_PORT || String(DEFAULT_PORTS.simulator)) && OWN_HOST.test(hostname) ? origin : undefined;
}

function readSimulated(env: NodeJS.ProcessEnv): Omit<SandboxConfig, 'hasPlainLog'> {
  const simPort = env.SIM_PORT || String(DEFAULT_PORTS.simulator);
  const port = /^\d{1,5}$/.test(simPort) && Number(simPort) <= 65_535 ? Number(simPort) : 0;
  const simulated = {
    ...env,
    PORT: env.PORT || String(DEFAULT_PORTS.api),
    HEALTH_PORT: env.HEALTH_PORT || String(DEFAULT_PORTS.health),
    DASHBOARD_URL: env.DASHBOARD_URL || pageUrlOf(env.PORT),
    SESSION_KEY: env.SESSION_KEY || SESSION_KEY,
    SESSION_KEY_FILE: '',
    DISCORD_APPLICATION_ID: APPLICATION.id,
    DISCORD_API_URL: `http://127.0.0.1:${port}/api/v10`,
    DISCORD_CLIENT_SECRET: APPLICATION.clientSecret,
    DISCORD_BOT_TOKEN: BOT.token,
  };
  const { api, bot, issues } = readParts(simulated, env.BOT === 'off' ? null : simulated);
  const refuse = (key: string, expected: string, received: string) =>
    issues.push({ key, message: `expected ${expected}; received ${JSON.stringify(received)}` });
  if (String(port) !== simPort) refuse('SIM_PORT', 'a port', simPort);
  const redirectUris = (env.SIM_REDIRECT_URIS ?? '').split(/[\s,]+/).filter((uri) => uri !== '');
  const unusable = redirectUris.find((uri) => !isRegistrableUri(uri));
  if (unusable !== undefined)
    refuse('SIM_REDIRECT_URIS', 'absolute URIs without a fragment, separated by commas', unusable);
  const { PORT, HEALTH_PORT } = simulated;
  if (simPort !== '0' && simPort === PORT) refuse('SIM_PORT', 'a port of its own', simPort);
  if (HEALTH_PORT !== '0' && [PORT, simPort].includes(HEALTH_PORT))
    refuse('HEALTH_PORT', 'a port of its own', HEALTH_PORT);
  if (api && issues.length === 0) return { api, bot, discord: { kind: 'simulated', port, redirectUris } };
  throw new EnvironmentError(issues);
}

function readParts(apiEnv: NodeJS.ProcessEnv, botEnv: NodeJS.ProcessEnv | null) {
  const issues: EnvironmentIssue[] = [];
  const attempt = <T>(read: () => T, rename: (key: string) => string = (key) => key): T | null => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof EnvironmentError)) throw error;
      const found = error.issues.map(({ key, message }) => ({ key: rename(key), message }));
      issues.push(...found.filter(({ key }) => issues.every((issue) => issue.key !== key)));
      return null;
    }
  };
  const api = attempt(() => readConfig(apiEnv, { readSettings: readFileOrModule }));
  // Each part has its own file, so within one process each needs its own variable.
  const readBot = () => readBotConfig({ ...botEnv, DATABASE_URL: botEnv?.BOT_DATABASE_URL });
  const bot = botEnv && attempt(readBot, (key) => (key === 'DATABASE_URL' ? 'BOT_DATABASE_URL' : key));
  const { BOT: given } = apiEnv;
  if (!['on', 'off'].includes(given || 'on'))
    issues.push({ key: 'BOT', message: `expected on or off; received ${JSON.stringify(given)}` });
  return { api, bot, issues };
}

/** Returns an environment with a session key: a random one for this start, unless it is given. */
export function withSessionKey(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return has(env, 'SESSION_KEY') ? env : { ...env, SESSION_KEY: randomBytes(32).toString('hex') };
}

/** Returns the origin at which browsers of this machine open the page of an api at a port. */
export function pageUrlOf(port: number | string = ''): string {
  const url = `http://127.0.0.1:${port || DEFAULT_PORTS.api}`;
  // The api reports an invalid port.
  return URL.canParse(url) ? new URL(url).origin : 'http://127.0.0.1';
}
