import { Snowflake } from '@guild-settings/contract';
import {
  type EnvironmentIssue,
  filePathOf,
  HttpUrl,
  integer,
  LogLevel,
  readEnvironment,
} from '@guild-settings/runtime/environment';
import { z } from 'zod';

const DatabasePath = z
  .string()
  .regex(/^file:.+/, 'expected file:<path>, such as file:./data/bot.db')
  .transform(filePathOf);

/** A secret as Discord shows it: printable ASCII without spaces, and so without the scheme of a header. */
const Secret = z.string('expected a secret of your application').regex(/^[\x21-\x7e]+$/, 'expected no spaces');

/** Shard ids as discord.js's ShardingManager passes them (`[0,1]`), or separated by commas. */
const ShardIds = z
  .string()
  .regex(/^\[?\s*\d{1,5}(\s*,\s*\d{1,5})*\s*\]?$/, 'expected shard ids separated by commas, such as 0,1')
  .transform((list) => [...new Set((list.match(/\d+/g) ?? []).map(Number))].toSorted((a, b) => a - b));

const VARIABLES = {
  API_URL: HttpUrl.prefault('http://127.0.0.1:3000'),
  DISCORD_API_URL: HttpUrl.prefault('https://discord.com/api/v10'),
  DISCORD_APPLICATION_ID: Snowflake,
  DISCORD_CLIENT_SECRET: Secret,
  DISCORD_BOT_TOKEN: Secret,
  DATABASE_URL: DatabasePath.prefault('file:./data/bot.db'),
  ACCEPT_EPOCH: z.string().min(1).max(100).optional(),
  RESET_HOLD_SECONDS: integer({ max: 86_400 }).prefault('3600'),
  DASHBOARD_URL: HttpUrl.optional(),
  SHARDS: ShardIds.optional(),
  SHARD_COUNT: integer({ min: 1, max: 65_536 }).optional(),
  PREFIX_COMMANDS: z.enum(['on', 'off']).default('on'),
  JOIN_LANGUAGE: z.enum(['on', 'off']).default('on'),
  HEALTH_HOST: z.string().min(1).default('127.0.0.1'),
  HEALTH_PORT: integer({ max: 65_535 }).prefault('3002'),
  LOG_LEVEL: LogLevel.default('info'),
};

const SECRET_KEYS = ['DISCORD_CLIENT_SECRET', 'DISCORD_BOT_TOKEN', 'API_URL', 'DISCORD_API_URL', 'DATABASE_URL'];

export type BotConfig = ReturnType<typeof readBotConfig>;

export function readBotConfig(env: NodeJS.ProcessEnv = process.env) {
  const values = readEnvironment(env, { variables: VARIABLES, secretKeys: SECRET_KEYS, check: shardIssues });
  const { SHARDS: ids, SHARD_COUNT: count } = values;
  return Object.freeze({
    apiUrl: values.API_URL,
    discord: Object.freeze({
      apiUrl: values.DISCORD_API_URL,
      applicationId: values.DISCORD_APPLICATION_ID,
      clientSecret: values.DISCORD_CLIENT_SECRET,
      botToken: values.DISCORD_BOT_TOKEN,
    }),
    /** The base URL of the dashboard, without a slash at the end; undefined: replies link no page. */
    dashboardUrl: values.DASHBOARD_URL,
    databasePath: values.DATABASE_URL,
    reset: Object.freeze({
      /** The epoch that an operator has accepted although most guilds are missing in it. */
      acceptedEpoch: values.ACCEPT_EPOCH,
      /** The time for which such an epoch is held back without a confirmation. */
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
