import { Snowflake } from '@guild-settings/contract';
import {
  DatabaseUrl,
  type EnvironmentIssue,
  environmentSecrets,
  Host,
  HttpUrl,
  integer,
  LogLevel,
  readEnvironment,
  Secret,
  TrustProxy,
} from '@guild-settings/runtime/environment';
import { z } from 'zod';

const KEY_BYTES = 32;

const HEX_KEY = /^[\da-f]{64}$/i;
const BASE64_KEY = /^[\w+/-]{43}=?$/;

const SessionKeys = z
  .string('expected a key of 32 bytes in base64: `openssl rand -base64 32` makes one')
  .transform((list) => list.split(',').map((key) => key.trim()))
  .refine(
    (keys) => keys.every((key) => HEX_KEY.test(key) || BASE64_KEY.test(key)),
    'expected keys of 32 bytes in base64 or hexadecimal, the newest first, separated by commas: `openssl rand -base64 32` makes one',
  )
  .transform((keys) => keys.map((key) => Buffer.from(key, HEX_KEY.test(key) ? 'hex' : 'base64')))
  .refine((keys) => keys.every(({ length }) => length === KEY_BYTES), 'expected keys of 32 bytes')
  .meta({ isSecret: true });

const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

const Origin = HttpUrl.refine((url) => new URL(url).origin === url, 'expected an origin without a path');

/**
 * The origin at which browsers open the dashboard. Without https, session cookies could be read and set by the network, so it
 * may be of loopback alone.
 */
const DashboardUrl = Origin.refine(
  (url) => url.startsWith('https:') || LOOPBACK_HOSTS.has(new URL(url).hostname),
  'expected https://, which only an address of this machine may do without',
);

/** The variables of the dashboard, in the order of the reference. */
export const DASHBOARD_VARIABLES = {
  DASHBOARD_URL: DashboardUrl.describe(
    'Origin at which browsers open it: https://, which only an address of this machine may do without.',
  ),
  DISCORD_APPLICATION_ID: Snowflake.describe('Id of the application.'),
  DISCORD_CLIENT_SECRET: Secret.describe('Client secret, with which codes and refresh tokens are exchanged.'),
  SESSION_KEY: SessionKeys.describe(
    'Keys of 32 bytes in base64 or hexadecimal, the newest first, separated by commas: openssl rand -base64 32 makes one.',
  ),
  API_URL: HttpUrl.prefault('http://127.0.0.1:3000').describe('Base URL of the api.'),
  DATABASE_URL: DatabaseUrl.prefault('file:./data/dashboard.db').describe(
    'Its sessions: a SQLite file for one process, or postgres://<user>:<password>@<host>/<database> for several.',
  ),
  SUPPORT_URL: HttpUrl.optional().describe('Page with support, which every page links.'),
  PRIVACY_URL: HttpUrl.optional().describe('Privacy policy, which every page links.'),
  HOST: Host.default('127.0.0.1').describe('Address to listen on.'),
  PORT: integer({ max: 65_535 }).prefault('3003').describe('Port to listen on.'),
  TRUST_PROXY: TrustProxy.prefault('false'),
  RATE_LIMIT_PER_MINUTE: integer({ max: 1_000_000 })
    .prefault('600')
    .describe(
      'Requests of a person in a minute, in all sessions. 0: no limit. Calls count for the limit of the api as well.',
    ),
  DISCORD_API_URL: HttpUrl.prefault('https://discord.com/api/v10').describe("Discord's REST API."),
  DISCORD_AUTHORIZE_URL: HttpUrl.optional().describe(
    'Page where people consent. Unset: /oauth2/authorize at the origin of DISCORD_API_URL.',
  ),
  DISCORD_CDN_URL: Origin.prefault('https://cdn.discordapp.com').describe(
    'Origin of the icons of guilds and people, which the content security policy names.',
  ),
  LOG_LEVEL: LogLevel.default('info'),
};

export type DashboardConfig = ReturnType<typeof readDashboardConfig>;

export function readDashboardConfig(env: NodeJS.ProcessEnv = process.env) {
  const values = readEnvironment(env, { variables: DASHBOARD_VARIABLES, check: repeatedKeys });
  return Object.freeze({
    url: values.DASHBOARD_URL,
    server: Object.freeze({
      host: values.HOST,
      port: values.PORT,
      trustProxy: values.TRUST_PROXY,
      /** Requests of a person, in all sessions; 0: no limit. */
      rateLimitPerMinute: values.RATE_LIMIT_PER_MINUTE,
      logLevel: values.LOG_LEVEL,
    }),
    links: Object.freeze({ support: values.SUPPORT_URL, privacy: values.PRIVACY_URL }),
    apiUrl: values.API_URL,
    discord: Object.freeze({
      apiUrl: values.DISCORD_API_URL,
      authorizeUrl: values.DISCORD_AUTHORIZE_URL ?? `${new URL(values.DISCORD_API_URL).origin}/oauth2/authorize`,
      cdnUrl: values.DISCORD_CDN_URL,
      applicationId: values.DISCORD_APPLICATION_ID,
      clientSecret: values.DISCORD_CLIENT_SECRET,
    }),
    /** The keys that encrypt what sessions hold. The first one encrypts; all of them decrypt. */
    sessionKeys: Object.freeze(values.SESSION_KEY),
    database: Object.freeze(values.DATABASE_URL),
  });
}

export function startSecrets(env: NodeJS.ProcessEnv = process.env): string[] {
  return environmentSecrets(DASHBOARD_VARIABLES, env);
}

/** A key that is listed twice is a rotation that did not happen. */
function repeatedKeys(_env: unknown, values?: { readonly SESSION_KEY: readonly Buffer[] }): EnvironmentIssue[] {
  const keys = values?.SESSION_KEY.map((key) => key.toString('hex')) ?? [];
  return new Set(keys).size === keys.length ? [] : [{ key: 'SESSION_KEY', message: 'expected each key once' }];
}
