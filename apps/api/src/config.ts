import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Snowflake } from '@guild-settings/contract';
import { DeclaredSettings, SPECIFIED_SETTINGS } from '@guild-settings/contract/settings';
import {
  type DatabaseConfig,
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
import { urlSecrets } from '@guild-settings/runtime/log';
import { z } from 'zod';
import { DeclarationError, declarationTag, type ReadFile, readDeclaration } from './declaration/read-declaration.ts';
import { PACKAGE_FOLDER } from './own-package.ts';

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
  // A key that is listed twice is a failed rotation.
  .refine((keys) => new Set(keys.map((key) => key.toString('hex'))).size === keys.length, 'expected each key once')
  .meta({ isSecret: true });

const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

const Origin = HttpUrl.refine((url) => new URL(url).origin === url, 'expected an origin without a path');

/**
 * The origin at which browsers open the page. http is for loopback only: on a network, session cookies could be read
 * and set.
 */
const DashboardUrl = Origin.refine(
  (url) => url.startsWith('https:') || LOOPBACK_HOSTS.has(new URL(url).hostname),
  'expected https:// (http:// is only allowed for an address of this machine)',
);

const SCRIPT_FOLDERS = ['.', '../..'].map((path) => resolve(fileURLToPath(PACKAGE_FOLDER), path));

const DAY_MS = 86_400_000;

const Milliseconds = integer({ max: 86_400 }).transform((seconds) => seconds * 1_000);

const Origins = z
  .string()
  .transform((list) => list.split(',').map((origin) => origin.trim()))
  .transform((origins) => origins.filter((origin) => origin !== ''))
  .refine(
    (origins) => origins.every(isOrigin),
    'expected origins such as https://example.com, without paths and wildcards, separated by commas',
  );

const Time = z.iso
  .datetime({ offset: true, error: 'expected an RFC 3339 time such as 2031-05-04T12:00:00Z' })
  .transform((time) => Date.parse(time));

/** The variables of the api, in the order of the reference. */
export const API_VARIABLES = {
  DISCORD_APPLICATION_ID: Snowflake.describe('Application whose tokens are accepted.'),
  DISCORD_BOT_TOKEN: Secret.optional().describe(
    'Token of the bot, which lists channels, roles, emojis and members, and finds the roles of an access list. Without it these are not available.',
  ),
  DATABASE_URL: DatabaseUrl.prefault('file:./data/guild-settings.db').describe(
    'The SQLite file, or postgres://<user>:<password>@<host>/<database>.',
  ),
  HOST: Host.default('127.0.0.1').describe('Address to listen on.'),
  PORT: integer({ max: 65_535 }).prefault('3000').describe('Port to listen on.'),
  TRUST_PROXY: TrustProxy.prefault('false'),
  SETTINGS_FILE: settingsFile(undefined)
    .optional()
    .describe('A .json file that declares your own settings: docs/own-settings.md.'),
  DASHBOARD_URL: DashboardUrl.optional().describe(
    'Origin at which browsers open the page, https:// unless it is on this machine. Unset: the page is not served. With it, DISCORD_CLIENT_SECRET and SESSION_KEY are required.',
  ),
  DISCORD_CLIENT_SECRET: Secret.optional().describe('Client secret, to exchange login codes and refresh tokens.'),
  SESSION_KEY: SessionKeys.optional().describe(
    'Keys of 32 bytes in base64 or hexadecimal, the newest first, separated by commas: openssl rand -base64 32 makes one. They encrypt session tokens.',
  ),
  SUPPORT_URL: HttpUrl.optional().describe('Support page, linked from every page.'),
  PRIVACY_URL: HttpUrl.optional().describe('Privacy policy, linked from every page.'),
  CORS_ORIGINS: Origins.prefault('').describe('Origins whose pages may call the api, separated by commas.'),
  AUTH_CACHE_TTL: Milliseconds.prefault('60').describe(
    'Seconds for which a token check is valid. A manager who loses the permission keeps access for up to that long.',
  ),
  AUTH_STALE_GRACE: Milliseconds.prefault('300').describe(
    'Additional seconds for which reads and watches accept an expired check while Discord is unavailable.',
  ),
  RATE_LIMIT_PER_MINUTE: integer({ max: 1_000_000 })
    .prefault('300')
    .describe(
      'Maximum calls per principal and minute, and four times as many requests without credentials per address. 0: no limit.',
    ),
  CHANGE_LOG_BYTES_PER_DAY: integer({ max: 1_000_000_000_000 })
    .prefault('4194304')
    .describe('Maximum bytes that changes of one guild may add to the change log per UTC day. 0: no limit.'),
  HISTORY_RETENTION_DAYS: integer({ min: 1, max: 36_500 }).prefault('90').describe('Days for which changes are kept.'),
  GUILD_RETENTION_DAYS: integer({ min: 1, max: 36_500 })
    .prefault('30')
    .describe('Days for which the settings of a guild are kept after the bot has left it.'),
  RETENTION_CONFIRMED_UNTIL: Time.optional().describe(
    'Time until which the operator confirms the clock, such as 2031-05-04T12:00:00Z, after the api reports that it erases nothing.',
  ),
  ERASURE_LEDGER: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Path of the ledger of erasures. Unset: beside a SQLite file, with the suffix -erasures; none with PostgreSQL.',
    ),
  DISCORD_API_URL: HttpUrl.prefault('https://discord.com/api/v10').describe("Discord's REST API."),
  DISCORD_AUTHORIZE_URL: HttpUrl.optional().describe(
    'Page where people consent, and add the bot to a guild. Unset: /oauth2/authorize at the origin of DISCORD_API_URL, or of Discord without DASHBOARD_URL.',
  ),
  DISCORD_CDN_URL: Origin.prefault('https://cdn.discordapp.com').describe(
    'Origin of guild icons and avatars, allowed by the content security policy of the page.',
  ),
  LOG_LEVEL: LogLevel.default('info'),
};

function settingsFile(read: ReadFile | undefined) {
  return z.string().transform((file, context) => {
    try {
      const declaration = readDeclaration(file, read);
      return new DeclaredSettings(declaration, declarationTag(declaration));
    } catch (error) {
      if (!(error instanceof DeclarationError)) throw error;
      const issues = error.flaws.map((flaw) => ({
        code: 'custom' as const,
        input: file,
        ...flaw,
        path: [...flaw.path],
      }));
      context.issues.push(...issues);
      return z.NEVER;
    }
  });
}

export type Config = ReturnType<typeof readConfig>;

export interface ConfigOptions {
  /**
   * Reads the file that SETTINGS_FILE names: only JSON unless given, so that the service does not run code of a team.
   */
  readonly readSettings?: ReadFile;
}

/**
 * Reads the configuration, by default from this process's environment.
 * @throws EnvironmentError listing every invalid variable, without secrets
 */
export function readConfig(env: NodeJS.ProcessEnv = process.env, { readSettings }: ConfigOptions = {}) {
  const variables = { ...API_VARIABLES, SETTINGS_FILE: settingsFile(readSettings).optional() };
  const values = readEnvironment(env, { variables, check: missingForPage });
  const page = pageConfig(values);
  return Object.freeze({
    server: Object.freeze({
      host: values.HOST,
      port: values.PORT,
      trustProxy: values.TRUST_PROXY,
      corsOrigins: values.CORS_ORIGINS,
      logLevel: values.LOG_LEVEL,
    }),
    database: Object.freeze(values.DATABASE_URL),
    discord: Object.freeze({
      apiUrl: values.DISCORD_API_URL,
      applicationId: values.DISCORD_APPLICATION_ID,
      /** The token of the application's bot; undefined: the service cannot send requests as the bot. */
      botToken: values.DISCORD_BOT_TOKEN,
      // Without the page, DISCORD_API_URL may be a proxy that people cannot reach.
      authorizeUrl:
        values.DISCORD_AUTHORIZE_URL ??
        `${page === undefined ? 'https://discord.com' : new URL(values.DISCORD_API_URL).origin}/oauth2/authorize`,
    }),
    auth: Object.freeze({ cacheTtlMs: values.AUTH_CACHE_TTL, staleGraceMs: values.AUTH_STALE_GRACE }),
    /** Maximum requests of a principal per minute; 0 disables the limit. */
    rateLimitPerMinute: values.RATE_LIMIT_PER_MINUTE,
    /**
     * Maximum bytes that changes of one guild's settings may add to the change log per UTC day; 0 disables the limit.
     */
    changeLogBytesPerDay: values.CHANGE_LOG_BYTES_PER_DAY,
    retention: Object.freeze({
      changesMs: values.HISTORY_RETENTION_DAYS * DAY_MS,
      leftGuildsMs: values.GUILD_RETENTION_DAYS * DAY_MS,
    }),
    erasureLedger: values.ERASURE_LEDGER ?? defaultLedger(values.DATABASE_URL),
    retentionConfirmedUntilMs: values.RETENTION_CONFIRMED_UNTIL ?? null,
    settings: values.SETTINGS_FILE ?? SPECIFIED_SETTINGS,
    page,
  });
}

/** Returns true if API_URL is set, which the page needed while it had its own server. */
export function hasApiUrl(env: NodeJS.ProcessEnv = process.env): boolean {
  return Boolean(env.API_URL);
}

export type PageConfig = NonNullable<Config['page']>;

const NEEDED_BY_PAGE = ['DISCORD_CLIENT_SECRET', 'SESSION_KEY'] as const;

function pageConfig({
  DASHBOARD_URL: url,
  DISCORD_CLIENT_SECRET: clientSecret,
  SESSION_KEY: sessionKeys,
  ...values
}: z.infer<z.ZodObject<typeof API_VARIABLES>>) {
  if (url === undefined || clientSecret === undefined || sessionKeys === undefined) return undefined;
  return Object.freeze({
    url,
    clientSecret,
    /** The keys that encrypt session data. The first one encrypts; all of them decrypt. */
    sessionKeys: Object.freeze(sessionKeys),
    links: Object.freeze({ support: values.SUPPORT_URL, privacy: values.PRIVACY_URL }),
    cdnUrl: values.DISCORD_CDN_URL,
  });
}

function missingForPage(env: Readonly<Record<string, string | undefined>>): EnvironmentIssue[] {
  if (env.DASHBOARD_URL === undefined) return [];
  const missing = NEEDED_BY_PAGE.filter((key) => env[key] === undefined);
  return missing.map((key) => ({ key, message: 'expected a value, required with DASHBOARD_URL' }));
}

/** Returns the path of the erasure ledger beside a SQLite file; undefined for a database server. */
function defaultLedger(database: DatabaseConfig): string | undefined {
  return database.kind === 'sqlite' ? `${database.path}-erasures` : undefined;
}

/**
 * Returns DATABASE_URL unparsed; empty when it is not set.
 * @throws EnvironmentError when its file cannot be used
 */
export function readDatabaseUrl(env: NodeJS.ProcessEnv = process.env): string {
  const variables = { DATABASE_URL: z.string().default('').meta({ isSecret: true }) };
  return readEnvironment(env, { variables }).DATABASE_URL;
}

/**
 * Returns the folder from which relative paths of the command line start: the caller's working directory. A package
 * manager runs scripts in the folder of their package, and passes the caller's in INIT_CWD.
 */
export function callerFolder(env: NodeJS.ProcessEnv = process.env, workingFolder: string = process.cwd()): string {
  const isScriptFolder = SCRIPT_FOLDERS.includes(workingFolder);
  return isScriptFolder && env.INIT_CWD ? env.INIT_CWD : workingFolder;
}

/**
 * Returns the secrets in the environment and the arguments, to redact them from messages of programs that failed to
 * start.
 */
export function startSecrets(args: readonly string[], env: NodeJS.ProcessEnv = process.env): string[] {
  return [...urlSecrets(args), ...environmentSecrets(API_VARIABLES, env)];
}

/** Returns true for a complete origin: the `Origin` header is compared as a whole. */
function isOrigin(origin: string): boolean {
  return !origin.includes('*') && URL.canParse(origin) && new URL(origin).origin === origin;
}
