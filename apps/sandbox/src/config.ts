import { type Config, ConfigError, readConfig } from '@guild-settings/api';
import { APPLICATION } from './world.ts';

/** What the sandbox starts. */
export interface SandboxConfig {
  readonly api: Config;
  /** The simulator with its port, or the Discord that the api's configuration names. */
  readonly discord: { readonly kind: 'simulated'; readonly port: number } | { readonly kind: 'real' };
}

/** The ports when the environment names none. */
export const USUAL_PORTS = { api: 3_000, simulator: 3_001 } as const;

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
  try {
    return { api: readConfig(env), discord: { kind: 'real' } };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new ConfigError(
      `${error.message}\nUnset every DISCORD_* variable to try the sandbox with a simulated Discord.`,
    );
  }
}

function readSimulated(env: NodeJS.ProcessEnv): SandboxConfig {
  const problems: string[] = [];
  const text = env.SIM_PORT || String(USUAL_PORTS.simulator);
  const port = /^\d{1,5}$/.test(text) && Number(text) <= 65_535 ? Number(text) : 0;
  if (String(port) !== text) problems.push(`SIM_PORT: expected a port; received ${JSON.stringify(text)}`);
  const simulated = {
    ...env,
    PORT: env.PORT || String(USUAL_PORTS.api),
    DISCORD_APPLICATION_ID: APPLICATION.id,
    DISCORD_API_URL: `http://127.0.0.1:${port}/api/v10`,
  };
  if (port !== 0 && simulated.PORT === String(port)) {
    problems.push(`SIM_PORT: expected another port than PORT; received ${JSON.stringify(text)}`);
  }
  return { api: readWith(simulated, problems), discord: { kind: 'simulated', port } };
}

/** Adds what the api cannot know of to what it finds wrong itself. */
function readWith(env: NodeJS.ProcessEnv, problems: readonly string[]): Config {
  let message = 'The environment is not usable:';
  try {
    const config = readConfig(env);
    if (problems.length === 0) return config;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    message = error.message;
  }
  throw new ConfigError([message, ...problems.map((problem) => `  ${problem}`)].join('\n'));
}
