import { type Config, readConfig } from '@guild-settings/api';
import { type BotConfig, readBotConfig } from '@guild-settings/bot';
import { EnvironmentError, type EnvironmentIssue } from '@guild-settings/environment';
import { APPLICATION, BOT } from './world.ts';

/** The configuration of the parts that the sandbox starts. */
export interface SandboxConfig {
  readonly api: Config;
  /** The bot. Its URLs are replaced by those that the api and the simulator listen on. null: no bot is started. */
  readonly bot: BotConfig | null;
  /** The simulator with its port, or the Discord that the api's configuration names. */
  readonly discord: { readonly kind: 'simulated'; readonly port: number } | { readonly kind: 'real' };
}

/** The ports unless the environment names others. */
export const DEFAULT_PORTS = { api: 3_000, simulator: 3_001, health: 3_002 } as const;

/** Variables of a Discord application. Where one is set, the sandbox uses the real Discord. */
const DISCORD_KEYS = ['DISCORD_APPLICATION_ID', 'DISCORD_API_URL', 'DISCORD_CLIENT_SECRET', 'DISCORD_BOT_TOKEN'];

/**
 * Reads the configuration, by default from this process's environment. Discord is simulated unless a variable names an
 * application.
 * @throws EnvironmentError listing every unusable variable
 */
export function readSandboxConfig(env: NodeJS.ProcessEnv = process.env): SandboxConfig {
  const quiet = { ...env, LOG_LEVEL: env.LOG_LEVEL || 'warn' };
  return DISCORD_KEYS.some((key) => env[key]) ? readReal(quiet) : readSimulated(quiet);
}

function readReal(env: NodeJS.ProcessEnv): SandboxConfig {
  const { api, bot, issues } = readParts(env, env.DISCORD_CLIENT_SECRET || env.DISCORD_BOT_TOKEN ? env : null);
  if (api && issues.length === 0) return { api, bot, discord: { kind: 'real' } };
  throw new EnvironmentError(issues, 'Unset every DISCORD_* variable to try the sandbox with a simulated Discord.');
}

function readSimulated(env: NodeJS.ProcessEnv): SandboxConfig {
  const simPort = env.SIM_PORT || String(DEFAULT_PORTS.simulator);
  const port = /^\d{1,5}$/.test(simPort) && Number(simPort) <= 65_535 ? Number(simPort) : 0;
  const simulated = {
    ...env,
    PORT: env.PORT || String(DEFAULT_PORTS.api),
    HEALTH_PORT: env.HEALTH_PORT || String(DEFAULT_PORTS.health),
    DISCORD_APPLICATION_ID: APPLICATION.id,
    DISCORD_API_URL: `http://127.0.0.1:${port}/api/v10`,
    DISCORD_CLIENT_SECRET: APPLICATION.clientSecret,
    DISCORD_BOT_TOKEN: BOT.token,
  };
  const { api, bot, issues } = readParts(simulated, simulated);
  const refuse = (key: string, expected: string, received: string) =>
    issues.push({ key, message: `expected ${expected}; received ${JSON.stringify(received)}` });
  if (String(port) !== simPort) refuse('SIM_PORT', 'a port', simPort);
  const { PORT, HEALTH_PORT } = simulated;
  if (simPort !== '0' && simPort === PORT) refuse('SIM_PORT', 'a port of its own', simPort);
  if (HEALTH_PORT !== '0' && [PORT, simPort].includes(HEALTH_PORT))
    refuse('HEALTH_PORT', 'a port of its own', HEALTH_PORT);
  if (api && issues.length === 0) return { api, bot, discord: { kind: 'simulated', port } };
  throw new EnvironmentError(issues);
}

/** Reads the configurations of the api and the bot, and lists the issues of both, each once. */
function readParts(env: NodeJS.ProcessEnv, botEnv: NodeJS.ProcessEnv | null) {
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
  const api = attempt(() => readConfig(env));
  // The api and the bot have a file each, so within one process each needs a variable of its own.
  const readBot = () => readBotConfig({ ...botEnv, DATABASE_URL: env.BOT_DATABASE_URL });
  const bot = botEnv && attempt(readBot, (key) => (key === 'DATABASE_URL' ? 'BOT_DATABASE_URL' : key));
  return { api, bot, issues };
}
