import { readFileSync } from 'node:fs';
import { Snowflake } from '@guild-settings/contract';
import {
  type EnvironmentIssue,
  filePathOf,
  Host,
  HttpUrl,
  integer,
  LogLevel,
  readEnvironment,
  Secret,
} from '@guild-settings/runtime/environment';
import { z } from 'zod';

const DatabasePath = z
  .string()
  .regex(/^file:.+/, 'expected file:<path>, such as file:./data/bot.db')
  .transform(filePathOf)
  .meta({ isHidden: true });

/** Shard ids as discord.js's ShardingManager passes them (`[0,1]`), or separated by commas. */
const ShardIds = z
  .string()
  .regex(/^\[?\s*\d{1,5}(\s*,\s*\d{1,5})*\s*\]?$/, 'expected shard ids separated by commas, such as 0,1')
  .transform((list) => [...new Set((list.match(/\d+/g) ?? []).map(Number))].toSorted((a, b) => a - b));

/** The variables of the bot, in the order of the reference. */
export const BOT_VARIABLES = {
  DISCORD_APPLICATION_ID: Snowflake.describe('Id of the application.'),
  DISCORD_CLIENT_SECRET: Secret.describe('Client secret, with which the bot requests tokens for the api.'),
  DISCORD_BOT_TOKEN: Secret.describe("Token of the bot for the gateway and Discord's REST API."),
  API_URL: HttpUrl.prefault('http://127.0.0.1:3000').describe('Base URL of the api.'),
  DATABASE_URL: DatabasePath.prefault('file:./data/bot.db').describe(
    'SQLite file of this process: the replica of the settings, and reminders.',
  ),
  DASHBOARD_URL: HttpUrl.optional().describe('Origin of the dashboard, to which replies link.'),
  PREFIX_COMMANDS: z
    .enum(['on', 'off'])
    .default('on')
    .describe('off: slash commands only, without the Message Content Intent.'),
  JOIN_LANGUAGE: z
    .enum(['on', 'off'])
    .default('on')
    .describe("off: new servers start in the default language instead of their own from Discord's settings."),
  SHARDS: ShardIds.optional().describe('Shards of this process, such as 0,1. Unset: all that Discord recommends.'),
  SHARD_COUNT: integer({ min: 1, max: 65_536 }).optional().describe('Total number of shards, required with SHARDS.'),
  ACCEPT_EPOCH: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe('Epoch, as logged, to accept although most guilds are missing in it.'),
  RESET_HOLD_SECONDS: integer({ max: 86_400 })
    .prefault('3600')
    .describe('Seconds for which such an epoch is held back unless it is accepted.'),
  HEALTH_HOST: Host.default('127.0.0.1').describe('Address of health and metrics.'),
  HEALTH_PORT: integer({ max: 65_535 }).prefault('3002').describe('Port of health and metrics.'),
  DISCORD_API_URL: HttpUrl.prefault('https://discord.com/api/v10').describe(
    "Discord's REST API, which also provides the gateway URL.",
  ),
  LOG_LEVEL: LogLevel.default('info'),
};

export type BotConfig = ReturnType<typeof readBotConfig>;

export function readBotConfig(env: NodeJS.ProcessEnv = process.env) {
  const values = readEnvironment(env, { variables: BOT_VARIABLES, check: shardIssues });
  const { SHARDS: ids, SHARD_COUNT: count } = values;
  return Object.freeze({
    apiUrl: values.API_URL,
    discord: Object.freeze({
      apiUrl: values.DISCORD_API_URL,
      applicationId: values.DISCORD_APPLICATION_ID,
      clientSecret: values.DISCORD_CLIENT_SECRET,
      botToken: values.DISCORD_BOT_TOKEN,
    }),
    /** The base URL of the dashboard, without a trailing slash; undefined: replies have no links. */
    dashboardUrl: values.DASHBOARD_URL,
    databasePath: values.DATABASE_URL,
    reset: Object.freeze({
      /** The epoch that an operator has accepted although most guilds are missing in it. */
      acceptedEpoch: values.ACCEPT_EPOCH,
      /** Time for which such an epoch is held back without a confirmation. */
      holdMs: values.RESET_HOLD_SECONDS * 1_000,
    }),
    shards: ids && count !== undefined ? Object.freeze({ ids, count }) : null,
    /** True: the bot reads messages, for which its application needs the Message Content Intent. */
    readsMessages: values.PREFIX_COMMANDS === 'on',
    setsJoinLanguage: values.JOIN_LANGUAGE === 'on',
    health: Object.freeze({ host: values.HEALTH_HOST, port: values.HEALTH_PORT }),
    logLevel: values.LOG_LEVEL,
  });
}

/** Returns the issues of the two shard variables, which depend on each other. */
function shardIssues(
  env: Readonly<Record<string, string | undefined>>,
  values: { readonly SHARDS?: number[] | undefined; readonly SHARD_COUNT?: number | undefined } = {},
): EnvironmentIssue[] {
  const [missing, ...others] = ['SHARDS', 'SHARD_COUNT'].filter((key) => env[key] === undefined);
  if (missing !== undefined && others.length === 0) {
    return [{ key: missing, message: 'expected both SHARDS and SHARD_COUNT, or neither' }];
  }
  const { SHARDS = [], SHARD_COUNT: count = 0 } = values;
  return SHARDS.some((id) => id >= count) ? [{ key: 'SHARDS', message: `expected shard ids below ${count}` }] : [];
}

/** The package's folder: the parent of src, of dist and of dist/main.js. */
export const PACKAGE_FOLDER = new URL('..', import.meta.url);

const PACKAGE = new URL('package.json', PACKAGE_FOLDER);

export const VERSION = z.object({ version: z.string() }).parse(JSON.parse(readFileSync(PACKAGE, 'utf8'))).version;
