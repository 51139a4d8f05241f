import { Snowflake } from '@guild-settings/contract';
import { z } from 'zod';

const SECOND = 1_000;

const HttpUrl = z.url({ protocol: /^https?$/, error: 'expected an http(s) address' }).transform(withoutSlash);

const Seconds = z.coerce.number('expected seconds').int().min(0).max(86_400).transform(toMilliseconds);

const Origins = z
  .string()
  .transform((list) => list.split(',').map((origin) => origin.trim()))
  .transform((origins) => origins.filter((origin) => origin !== ''))
  .refine((origins) => origins.every(isOrigin), 'expected origins such as https://example.com, separated by commas');

/** false, true, or the proxies' addresses and networks separated by commas: what Fastify calls trustProxy. */
const TrustProxy = z.string().transform((value): boolean | string => {
  if (value === '' || value === 'false') return false;
  return value === 'true' ? true : value;
});

const DatabaseUrl = z
  .string()
  .regex(/^file:.+/, 'expected file:<path>, such as file:./data/guild-settings.db')
  .transform((url) => ({ kind: 'sqlite' as const, path: url.slice('file:'.length).replace(/^\/\/(?=\/)/, '') }));

const Environment = z.object({
  HOST: z.string().min(1).default('127.0.0.1'),
  PORT: z.coerce.number('expected a port').int().min(0).max(65_535).default(3_000),
  DATABASE_URL: DatabaseUrl.prefault('file:./data/guild-settings.db'),
  DISCORD_API_URL: HttpUrl.prefault('https://discord.com/api/v10'),
  DISCORD_APPLICATION_ID: Snowflake,
  CORS_ORIGINS: Origins.prefault(''),
  AUTH_CACHE_TTL: Seconds.prefault('60'),
  AUTH_STALE_GRACE: Seconds.prefault('300'),
  RATE_LIMIT_PER_MINUTE: z.coerce.number('expected a number').int().min(0).default(300),
  TRUST_PROXY: TrustProxy.prefault(''),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
});

/** The settings of one api process, checked and frozen. Times are in milliseconds. */
export type Config = ReturnType<typeof readConfig>;

/** The environment is not usable; the message lists every bad key, what was expected and what came. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/**
 * Reads the configuration, by default from this process's environment: the only place that does.
 * @throws ConfigError naming every bad key at once, without showing a secret
 */
export function readConfig(env: NodeJS.ProcessEnv = process.env) {
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const result = Environment.safeParse(present);
  if (!result.success) throw new ConfigError(explain(result.error, present));
  const values = result.data;
  return Object.freeze({
    server: Object.freeze({
      host: values.HOST,
      port: values.PORT,
      trustProxy: values.TRUST_PROXY,
      corsOrigins: values.CORS_ORIGINS,
      logLevel: values.LOG_LEVEL,
    }),
    database: Object.freeze(values.DATABASE_URL),
    discord: Object.freeze({ apiUrl: values.DISCORD_API_URL, applicationId: values.DISCORD_APPLICATION_ID }),
    auth: Object.freeze({ cacheTtl: values.AUTH_CACHE_TTL, staleGrace: values.AUTH_STALE_GRACE }),
    /** Calls a principal may make in a minute; 0 switches the limit off. */
    rateLimitPerMinute: values.RATE_LIMIT_PER_MINUTE,
  });
}

/** A database address may hold a password. */
const SECRET_KEYS = new Set(['DATABASE_URL']);

function explain(error: z.ZodError, env: NodeJS.ProcessEnv): string {
  const lines = error.issues.map((issue) => {
    const key = String(issue.path[0]);
    const value = env[key];
    const received =
      value === undefined ? 'nothing' : SECRET_KEYS.has(key) ? 'a value not shown' : JSON.stringify(value);
    return `  ${key}: ${issue.message}; received ${received}`;
  });
  return `The environment is not usable:\n${lines.join('\n')}`;
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '');
}

function toMilliseconds(seconds: number): number {
  return seconds * SECOND;
}

function isOrigin(origin: string): boolean {
  return URL.canParse(origin) && new URL(origin).origin === origin;
}
