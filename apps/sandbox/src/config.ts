import { type Config, ConfigError, readConfig } from '@guild-settings/api';
import { type BotConfig, BotConfigError, readBotConfig } from '@guild-settings/bot';
import { APPLICATION, BOT } from './world.ts';

/** What the sandbox starts. */
export interface SandboxConfig {
  readonly api: Config;
  /** The bot, which finds the api and a simulated Discord wherever they come to listen; null: no bot is started. */
  readonly bot: BotConfig | null;
  /** The simulator with its port, or the Discord that the api's configuration names. */
  readonly discord: { readonly kind: 'simulated'; readonly port: number } | { readonly kind: 'real' };
}

/** The ports when the environment names none. */
export const USUAL_PORTS = { api: 3_000, simulator: 3_001, health: 3_002 } as const;

/** Any of these says that somebody has a Discord application of their own. */
const DISCORD_KEYS = ['DISCORD_APPLICATION_ID', 'DISCORD_API_URL', 'DISCORD_CLIENT_SECRET', 'DISCORD_BOT_TOKEN'];

/**
 * Reads the environment, by default this process's. Without an application of one's own it stands for a simulated one.
 * @throws ConfigError naming every bad key at once
 */
export function readSandboxConfig(env: NodeJS.ProcessEnv = process.env): SandboxConfig {
  const quiet = { ...env, LOG_LEVEL: env.LOG_LEVEL || 'warn' };
  return DISCORD_KEYS.some((key) => env[key]) ? readReal(quiet) : readSimulated(quiet);
}

function readReal(env: NodeJS.ProcessEnv): SandboxConfig {
  const { api, bot, problems } = readParts(env, env.DISCORD_CLIENT_SECRET || env.DISCORD_BOT_TOKEN ? env : null);
  if (api && problems.length === 0) return { api, bot, discord: { kind: 'real' } };
  throw unusable([...problems, '\nUnset every DISCORD_* variable to try the sandbox with a simulated Discord.']);
}

function readSimulated(env: NodeJS.ProcessEnv): SandboxConfig {
  const simPort = env.SIM_PORT || String(USUAL_PORTS.simulator);
  const port = /^\d{1,5}$/.test(simPort) && Number(simPort) <= 65_535 ? Number(simPort) : 0;
  const simulated = {
    ...env,
    PORT: env.PORT || String(USUAL_PORTS.api),
    HEALTH_PORT: env.HEALTH_PORT || String(USUAL_PORTS.health),
    DISCORD_APPLICATION_ID: APPLICATION.id,
    DISCORD_API_URL: `http://127.0.0.1:${port}/api/v10`,
    DISCORD_CLIENT_SECRET: APPLICATION.clientSecret,
    DISCORD_BOT_TOKEN: BOT.token,
  };
  const { api, bot, problems } = readParts(simulated, simulated);
  if (String(port) !== simPort) problems.push(`SIM_PORT: expected a port; received ${JSON.stringify(simPort)}`);
  for (const key of ['SIM_PORT', 'HEALTH_PORT'] as const) {
    const taken = key === 'SIM_PORT' ? [simulated.PORT] : [simulated.PORT, simPort];
    const value = key === 'SIM_PORT' ? simPort : simulated.HEALTH_PORT;
    if (value !== '0' && taken.includes(value)) {
      problems.push(`${key}: expected a port of its own; received ${JSON.stringify(value)}`);
    }
  }
  if (api && problems.length === 0) return { api, bot, discord: { kind: 'simulated', port } };
  throw unusable(problems);
}

interface Parts {
  readonly api: Config | null;
  readonly bot: BotConfig | null;
  readonly problems: string[];
}

/** What either part finds wrong with the environment, each thing once. */
function readParts(env: NodeJS.ProcessEnv, botEnv: NodeJS.ProcessEnv | null): Parts {
  const problems = new Set<string>();
  const attempt = <T>(read: () => T): T | null => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof ConfigError || error instanceof BotConfigError)) throw error;
      for (const line of error.message.split('\n').slice(1)) problems.add(line.trim());
      return null;
    }
  };
  const api = attempt(() => readConfig(env));
  // Both keep a file; in one process they need a name each.
  const bot = botEnv && attempt(() => readBotConfig({ ...botEnv, DATABASE_URL: env.BOT_DATABASE_URL }));
  return {
    api,
    bot,
    problems: [...problems].map((line) => line.replace(/^DATABASE_URL: (?=.*bot\.db)/, 'BOT_DATABASE_URL: ')),
  };
}

function unusable(problems: readonly string[]): ConfigError {
  return new ConfigError(
    [
      'The environment is not usable:',
      ...problems.map((line) => (line.startsWith('\n') ? line.slice(1) : `  ${line}`)),
    ].join('\n'),
  );
}
