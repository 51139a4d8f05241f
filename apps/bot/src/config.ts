import { Snowflake } from '@guild-settings/contract';
import { z } from 'zod';

const HttpUrl = z
  .url({ protocol: /^https?$/, error: 'expected an http(s) address', abort: true })
  .refine(
    (url) => new URL(url).username === '' && new URL(url).password === '',
    'expected an address without a password',
  )
  .transform((url) => url.replace(/\/+$/, ''));

const DatabaseUrl = z
  .string()
  .regex(/^file:.+/, 'expected file:<path>, such as file:./data/bot.db')
  .transform((url) => url.slice('file:'.length).replace(/^\/\/(?=\/)/, ''));

/** As printed: no spaces, and not with the scheme that goes before it in a header. */
const Secret = z.string('expected a secret of your application').regex(/^[\x21-\x7e]+$/, 'expected no spaces');

/** Shard ids as discord.js's ShardingManager hands them on (`[0,1]`), or separated by commas. */
const ShardIds = z
  .string()
  .regex(/^\[?\s*\d{1,5}(\s*,\s*\d{1,5})*\s*\]?$/, 'expected shard ids separated by commas, such as 0,1')
  .transform((list) => [...new Set((list.match(/\d+/g) ?? []).map(Number))].toSorted((a, b) => a - b));

const Environment = z.object({
  API_URL: HttpUrl.prefault('http://127.0.0.1:3000'),
  DISCORD_API_URL: HttpUrl.prefault('https://discord.com/api/v10'),
  DISCORD_APPLICATION_ID: Snowflake,
  DISCORD_CLIENT_SECRET: Secret,
  DISCORD_BOT_TOKEN: Secret,
  DATABASE_URL: DatabaseUrl.prefault('file:./data/bot.db'),
  ACCEPT_EPOCH: z.string().min(1).max(100).optional(),
  RESET_HOLD_SECONDS: wholeNumber({ min: 0, max: 86_400 }).prefault('3600'),
  SHARDS: ShardIds.optional(),
  SHARD_COUNT: wholeNumber({ min: 1, max: 65_536 }).optional(),
  HEALTH_HOST: z.string().min(1).default('127.0.0.1'),
  HEALTH_PORT: wholeNumber({ min: 0, max: 65_535 }).prefault('3002'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
});

/** The settings of one bot process, checked and frozen. */
export type BotConfig = ReturnType<typeof readBotConfig>;

/** The environment is not usable; the message lists every bad key, what was expected and what came. */
export class BotConfigError extends Error {
  override readonly name = 'BotConfigError';
}

/**
 * Reads the configuration, by default from this process's environment: the only place that does.
 * @throws BotConfigError naming every bad key at once, without showing a secret
 */
export function readBotConfig(env: NodeJS.ProcessEnv = process.env) {
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const result = Environment.safeParse(present);
  const issues = [...(result.error?.issues ?? []), ...shardIssues(present, result.data)];
  if (!result.success || issues.length > 0) throw new BotConfigError(explain(issues, present));
  const values = result.data;
  const { SHARDS: ids, SHARD_COUNT: count } = values;
  return Object.freeze({
    /** Where the settings service is, without a slash at the end. */
    apiUrl: values.API_URL,
    discord: Object.freeze({
      apiUrl: values.DISCORD_API_URL,
      applicationId: values.DISCORD_APPLICATION_ID,
      clientSecret: values.DISCORD_CLIENT_SECRET,
      botToken: values.DISCORD_BOT_TOKEN,
    }),
    databasePath: values.DATABASE_URL,
    reset: Object.freeze({
      /** The epoch that an operator has confirmed although most guilds are missing in it. */
      acceptedEpoch: values.ACCEPT_EPOCH,
      /** How long such a history is kept back without a confirmation. */
      holdMs: values.RESET_HOLD_SECONDS * 1_000,
    }),
    shards: ids && count !== undefined ? Object.freeze({ ids, count }) : null,
    health: Object.freeze({ host: values.HEALTH_HOST, port: values.HEALTH_PORT }),
    logLevel: values.LOG_LEVEL,
  });
}

const SECRET_KEYS = new Set([
  'DISCORD_CLIENT_SECRET',
  'DISCORD_BOT_TOKEN',
  'API_URL',
  'DISCORD_API_URL',
  'DATABASE_URL',
]);

interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** Apart from the rest, because zod compares keys with one another even where they are wrong by themselves. */
function shardIssues(env: NodeJS.ProcessEnv, values: z.infer<typeof Environment> | undefined): Issue[] {
  const missing = ['SHARDS', 'SHARD_COUNT'].filter((key) => env[key] === undefined);
  if (missing.length === 1) return [{ path: missing, message: 'expected both SHARDS and SHARD_COUNT, or neither' }];
  const { SHARDS = [], SHARD_COUNT: count = 0 } = values ?? {};
  return SHARDS.some((id) => id >= count) ? [{ path: ['SHARDS'], message: `expected shard ids below ${count}` }] : [];
}

function explain(issues: readonly Issue[], env: NodeJS.ProcessEnv): string {
  const lines = issues.map((issue) => {
    const key = String(issue.path[0]);
    const value = env[key];
    const received =
      value === undefined ? 'nothing' : SECRET_KEYS.has(key) ? 'a value not shown' : JSON.stringify(value);
    return `  ${key}: ${issue.message}; received ${received}`;
  });
  return `The environment is not usable:\n${lines.join('\n')}`;
}

/** Digits and nothing else: JavaScript would take white space for 0 and 0x10 for 16. */
function wholeNumber({ min, max }: { readonly min: number; readonly max: number }) {
  const message = `expected a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d+$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message);
}
