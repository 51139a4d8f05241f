import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Snowflake } from '@guild-settings/contract';
import { DeclaredSettings, SPECIFIED_SETTINGS } from '@guild-settings/contract/settings';
import {
  type DatabaseConfig,
  DatabaseUrl,
  HttpUrl,
  integer,
  LogLevel,
  readEnvironment,
  TrustProxy,
} from '@guild-settings/runtime/environment';
import { urlSecrets } from '@guild-settings/runtime/log';
import { z } from 'zod';
import { DeclarationError } from './declaration/declaration-error.ts';
import { declarationTag } from './declaration/declaration-tag.ts';
import { type ReadFile, readDeclaration } from './declaration/read-declaration.ts';
import { PACKAGE_FOLDER } from './package-folder.ts';

const SCRIPT_FOLDERS = ['.', '../..'].map((path) => resolve(fileURLToPath(PACKAGE_FOLDER), path));

const DAY_MS = 86_400_000;

const Milliseconds = integer({ max: 86_400 }).transform((seconds) => seconds * 1_000);

const Origins = z
  .string()
  .transform((list) => list.split(',').map((origin) => origin.trim()))
  .transform((origins) => origins.filter((origin) => origin !== ''))
  .refine(
    (origins) => origins.every(isOrigin),
    'expected whole origins such as https://example.com, without wildcards, separated by commas',
  );

const Time = z.iso
  .datetime({ offset: true, error: 'expected a time of RFC 3339, such as 2031-05-04T12:00:00Z' })
  .transform((time) => Date.parse(time));

/** A secret as Discord shows it: printable ASCII without spaces, and so without the scheme of a header. */
const Secret = z.string().regex(/^[\x21-\x7e]+$/, 'expected the token as Discord shows it, without spaces');

const VARIABLES = {
  HOST: z.string().min(1).default('127.0.0.1'),
  PORT: integer({ max: 65_535 }).prefault('3000'),
  DATABASE_URL: DatabaseUrl.prefault('file:./data/guild-settings.db'),
  DISCORD_API_URL: HttpUrl.prefault('https://discord.com/api/v10'),
  DISCORD_AUTHORIZE_URL: HttpUrl.prefault('https://discord.com/oauth2/authorize'),
  DISCORD_APPLICATION_ID: Snowflake,
  DISCORD_BOT_TOKEN: Secret.optional(),
  CORS_ORIGINS: Origins.prefault(''),
  AUTH_CACHE_TTL: Milliseconds.prefault('60'),
  AUTH_STALE_GRACE: Milliseconds.prefault('300'),
  RATE_LIMIT_PER_MINUTE: integer({ max: 1_000_000 }).prefault('300'),
  CHANGE_LOG_BYTES_PER_DAY: integer({ max: 1_000_000_000_000 }).prefault('4194304'),
  HISTORY_RETENTION_DAYS: integer({ min: 1, max: 36_500 }).prefault('90'),
  GUILD_RETENTION_DAYS: integer({ min: 1, max: 36_500 }).prefault('30'),
  ERASURE_LEDGER: z.string().min(1).optional(),
  RETENTION_CONFIRMED_UNTIL: Time.optional(),
  TRUST_PROXY: TrustProxy.prefault('false'),
  LOG_LEVEL: LogLevel.default('info'),
};

/** Makes the variable of the file with the declaration of a team's settings. */
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

/** URLs may hold a password. */
const SECRET_KEYS = ['DATABASE_URL', 'DISCORD_API_URL', 'DISCORD_BOT_TOKEN'];

export type Config = ReturnType<typeof readConfig>;

export interface ConfigOptions {
  /** Reads the file that SETTINGS_FILE names: JSON alone unless given, so that no code of a team runs in the service. */
  readonly readSettings?: ReadFile;
}

/**
 * Reads the configuration, by default from this process's environment.
 * @throws EnvironmentError listing every unusable variable, without a secret
 */
export function readConfig(env: NodeJS.ProcessEnv = process.env, { readSettings }: ConfigOptions = {}) {
  const variables = { ...VARIABLES, SETTINGS_FILE: settingsFile(readSettings).optional() };
  const values = readEnvironment(env, { variables, secretKeys: SECRET_KEYS });
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
      authorizeUrl: values.DISCORD_AUTHORIZE_URL,
    }),
    auth: Object.freeze({ cacheTtlMs: values.AUTH_CACHE_TTL, staleGraceMs: values.AUTH_STALE_GRACE }),
    /** The most requests of a principal in a minute; 0 switches the limit off. */
    rateLimitPerMinute: values.RATE_LIMIT_PER_MINUTE,
    /** The most bytes that changes of one guild's settings may add to the change log in a UTC day; 0 switches the limit off. */
    changeLogBytesPerDay: values.CHANGE_LOG_BYTES_PER_DAY,
    retention: Object.freeze({
      changesMs: values.HISTORY_RETENTION_DAYS * DAY_MS,
      leftGuildsMs: values.GUILD_RETENTION_DAYS * DAY_MS,
    }),
    erasureLedger: values.ERASURE_LEDGER ?? defaultLedger(values.DATABASE_URL),
    retentionConfirmedUntilMs: values.RETENTION_CONFIRMED_UNTIL ?? null,
    settings: values.SETTINGS_FILE ?? SPECIFIED_SETTINGS,
  });
}

/** Returns the path of the ledger of erasures beside a SQLite file. A database server has no folder for one. */
function defaultLedger(database: DatabaseConfig): string | undefined {
  return database.kind === 'sqlite' ? `${database.path}-erasures` : undefined;
}

export function readDatabaseUrl(env: NodeJS.ProcessEnv = process.env): string {
  return env.DATABASE_URL ?? '';
}

/**
 * Returns the folder that relative paths of the command line start from: the one in which the person is. A package manager
 * runs a script in the folder of its package, and keeps the other one in INIT_CWD.
 */
export function callerFolder(env: NodeJS.ProcessEnv = process.env, workingFolder: string = process.cwd()): string {
  const isScriptFolder = SCRIPT_FOLDERS.includes(workingFolder);
  return isScriptFolder && env.INIT_CWD ? env.INIT_CWD : workingFolder;
}

/** Returns the secrets of the environment and of command line arguments, for messages of programs that failed to start. */
export function startSecrets(args: readonly string[], env: NodeJS.ProcessEnv = process.env): string[] {
  const urls = urlSecrets([...args, env.DATABASE_URL, env.DISCORD_API_URL]);
  return [...urls, ...[env.PGPASSWORD, env.DISCORD_BOT_TOKEN].flatMap((secret) => (secret ? [secret] : []))];
}

/** Returns true for a whole origin. The `Origin` header is compared as a whole: a pattern would never match. */
function isOrigin(origin: string): boolean {
  return !origin.includes('*') && URL.canParse(origin) && new URL(origin).origin === origin;
}
