import { isIP } from 'node:net';
import { Snowflake } from '@guild-settings/contract';
import { z } from 'zod';

const SECOND = 1_000;

const HttpUrl = z
  .url({ protocol: /^https?$/, error: 'expected an http(s) address' })
  .refine(
    (url) => new URL(url).username === '' && new URL(url).password === '',
    'expected an address without a password',
  )
  .transform(withoutSlash);

const Seconds = wholeNumber({ max: 86_400 }).transform((seconds) => seconds * SECOND);

const Origins = z
  .string()
  .transform((list) => list.split(',').map((origin) => origin.trim()))
  .transform((origins) => origins.filter((origin) => origin !== ''))
  .refine(
    (origins) => origins.every(isOrigin),
    'expected whole origins such as https://example.com, without wildcards, separated by commas',
  );

/**
 * The proxies whose X-Forwarded-For is believed: none, a number of them, or their addresses and networks. `true` is refused:
 * a client would choose its own address, and so escape the limits of its address.
 */
const TrustProxy = z
  .string()
  .refine(
    (value) => value === 'false' || HOP_COUNT.test(value) || value.split(',').every((part) => isNetwork(part.trim())),
    'expected the number of proxies from 1 to 9, or their addresses and networks such as 10.0.0.0/8,::1 separated by commas',
  )
  .transform((value): false | number | string => {
    if (value === 'false') return false;
    return HOP_COUNT.test(value) ? Number(value) : value;
  });

const HOP_COUNT = /^[1-9]$/;

/** Which store, and where. */
export type DatabaseConfig =
  | { readonly kind: 'sqlite'; readonly path: string }
  | { readonly kind: 'postgres'; readonly url: string };

/** `file:<path>` or `postgres://...`. */
export const DatabaseUrl = z
  .string()
  .regex(
    /^(file:.+|postgres(ql)?:\/\/.+)/,
    'expected file:<path>, such as file:./data/guild-settings.db, or postgres://<user>:<password>@<host>/<database>',
  )
  .refine((url) => url.startsWith('file:') || URL.canParse(url), 'expected a postgres:// address that can be parsed')
  .transform(
    (url): DatabaseConfig =>
      url.startsWith('file:')
        ? { kind: 'sqlite', path: url.slice('file:'.length).replace(/^\/\/(?=\/)/, '') }
        : { kind: 'postgres', url },
  );

/** A point of time, in milliseconds since 1970. */
const Time = z.iso
  .datetime({ offset: true, error: 'expected a time of RFC 3339, such as 2031-05-04T12:00:00Z' })
  .transform((time) => Date.parse(time));

const Environment = z.object({
  HOST: z.string().min(1).default('127.0.0.1'),
  PORT: wholeNumber({ max: 65_535 }).prefault('3000'),
  DATABASE_URL: DatabaseUrl.prefault('file:./data/guild-settings.db'),
  DISCORD_API_URL: HttpUrl.prefault('https://discord.com/api/v10'),
  DISCORD_APPLICATION_ID: Snowflake,
  CORS_ORIGINS: Origins.prefault(''),
  AUTH_CACHE_TTL: Seconds.prefault('60'),
  AUTH_STALE_GRACE: Seconds.prefault('300'),
  RATE_LIMIT_PER_MINUTE: wholeNumber({ max: 1_000_000 }).prefault('300'),
  CHANGE_LOG_BYTES_PER_DAY: wholeNumber({ max: 1_000_000_000_000 }).prefault('4194304'),
  RETENTION_CONFIRMED_UNTIL: Time.optional(),
  TRUST_PROXY: TrustProxy.prefault('false'),
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
    /** Bytes that settings changes of one guild may add to the change log in a UTC day; 0 switches the limit off. */
    changeLogBytesPerDay: values.CHANGE_LOG_BYTES_PER_DAY,
    /** Until when an operator confirmed the clock, in milliseconds since 1970; null: not at all. */
    retentionConfirmedUntilMs: values.RETENTION_CONFIRMED_UNTIL ?? null,
  });
}

/** The DATABASE_URL of the environment, unchecked; empty when there is none. */
export function readDatabaseUrl(env: NodeJS.ProcessEnv = process.env): string {
  return env.DATABASE_URL ?? '';
}

/** An address may hold a password. */
const SECRET_KEYS = new Set(['DATABASE_URL', 'DISCORD_API_URL']);

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

/** Digits and nothing else: JavaScript would take white space for 0 and 0x10 for 16. */
function wholeNumber({ max }: { readonly max: number }) {
  const message = `expected a whole number from 0 to ${max}`;
  return z
    .string()
    .regex(/^\d+$/, message)
    .transform(Number)
    .refine((value) => value <= max, message);
}

/** An address, or a network. One of zero bits is everybody. */
function isNetwork(part: string): boolean {
  const [address = '', bits, ...more] = part.split('/');
  const version = isIP(address);
  if (version === 0 || more.length > 0) return false;
  return bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

/** Pages are compared by their whole origin: a pattern would never match. */
function isOrigin(origin: string): boolean {
  return !origin.includes('*') && URL.canParse(origin) && new URL(origin).origin === origin;
}
