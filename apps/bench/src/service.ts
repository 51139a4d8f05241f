import { chmod, cp } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type DiscordSim, startDiscordSim } from '@guild-settings/discord-sim';
import { queryPostgres, runProgramToEnd, startPostgresServer } from '@guild-settings/testing';
import Database from 'better-sqlite3';
import type { BenchContext } from './bench.ts';
import { type Server, type ServerOptions, startServer } from './processes.ts';

/** The built api, of this clone or of another one, to compare two versions. */
const API = process.env.BENCH_API ?? fileURLToPath(new URL('../../api/dist/main.js', import.meta.url));
const MIGRATE = fileURLToPath(new URL('../../api/dist/migrate.js', import.meta.url));

const APPLICATION_ID = '80351110224678912';
const FIRST_USER_ID = 53_908_099_506_183_680n;
const FIRST_GUILD_ID = 300_000_000_000_000_000n;
const YEAR_SECONDS = 365 * 24 * 60 * 60;

/** Guilds per owner: fewer than one page of Discord's list. */
export const GUILDS_PER_OWNER = 100;

export type Caller = 'application' | 'owners';

/** The access token of the application, which may access all guilds. */
export const APPLICATION_TOKEN = 'bench-application-token-000001';

export function tokenOf(caller: Caller, guild: number): string {
  return caller === 'application' ? APPLICATION_TOKEN : ownerToken(Math.floor(guild / GUILDS_PER_OWNER));
}

function ownerToken(owner: number): string {
  return `bench-person-token-${String(owner).padStart(11, '0')}`;
}

/** Returns snowflakes of successive milliseconds, which spread over any number of shards. */
export function guildIds(count: number): string[] {
  return Array.from({ length: count }, (_, index) => guildId(index));
}

export function guildId(index: number): string {
  return String(FIRST_GUILD_ID + (BigInt(index) << 22n));
}

/**
 * Starts a simulated Discord in which people own some guilds, and the service on a SQLite file. They stop at the end of
 * the row.
 */
export async function serveFile(
  { resources }: Pick<BenchContext, 'resources'>,
  path: string,
  { owned = [], ...options }: Omit<ServerOptions, 'file'> & { readonly owned?: readonly string[] } = {},
): Promise<Server> {
  const discord = resources.use(await startDiscord(owned));
  return resources.use(await startApi({ databaseUrl: `file:${path}`, discordUrl: discord.apiUrl, ...options }));
}

/** Starts the service as in production, but without request logs and limits unless `env` sets them. */
export function startApi({
  databaseUrl,
  discordUrl,
  env,
  ...options
}: Omit<ServerOptions, 'file'> & { readonly databaseUrl: string; readonly discordUrl: string }): Promise<Server> {
  return startServer({
    ...options,
    file: API,
    env: {
      DATABASE_URL: databaseUrl,
      DISCORD_API_URL: discordUrl,
      DISCORD_APPLICATION_ID: APPLICATION_ID,
      RATE_LIMIT_PER_MINUTE: '0',
      CHANGE_LOG_BYTES_PER_DAY: '0',
      LOG_LEVEL: 'warn',
      ...env,
    },
  });
}

/**
 * Starts a simulated Discord with people who own a hundred of these guilds each, and the application's bot in all of
 * them.
 */
export async function startDiscord(owned: readonly string[]): Promise<DiscordSim> {
  const discord = await startDiscordSim();
  const { world } = discord;
  const grant = { applicationId: APPLICATION_ID, expiresInSeconds: YEAR_SECONDS };
  const owners = Math.max(1, Math.ceil(owned.length / GUILDS_PER_OWNER));
  const users = Array.from({ length: owners }, (_, owner) => String(FIRST_USER_ID + BigInt(owner)));
  const [ownerId = ''] = users;
  for (const [owner, id] of users.entries()) world.addUser({ id, username: `owner-${owner}` });
  world.addApplication({ id: APPLICATION_ID, clientSecret: 'bench-client-secret', name: 'Bench', ownerId });
  const token = 'bench-bot-token-00000000000001';
  world.addBot({ applicationId: APPLICATION_ID, token, userId: APPLICATION_ID, username: 'bench' });
  for (const [owner, userId] of users.entries())
    world.issueUserToken({ ...grant, token: ownerToken(owner), userId, scopes: ['identify', 'guilds'] });
  for (const [index, id] of owned.entries()) {
    world.addGuild({ id, name: `Guild ${id}`, ownerId: users[Math.floor(index / GUILDS_PER_OWNER)] ?? '' });
    world.addBotToGuild(id, { applicationId: APPLICATION_ID });
  }
  const scopes = ['applications.commands.update'] as const;
  world.issueClientCredentialsToken({ ...grant, token: APPLICATION_TOKEN, scopes });
  return discord;
}

/**
 * Fills a SQLite file of the service with guilds that have one change each, and returns its path and that of a copy for
 * a peer.
 */
export async function seedSqlite({ folder, progress }: BenchContext, count: number) {
  progress(`filling a file with ${count.toLocaleString('en')} guilds`);
  const path = join(folder, 'guilds.db');
  const migrated = await startApi({ databaseUrl: `file:${path}`, discordUrl: 'http://127.0.0.1:1/api' });
  await migrated[Symbol.asyncDispose]();
  const file = new Database(path);
  file.exec(`PRAGMA synchronous = OFF;
    BEGIN;
    INSERT INTO guilds (id, name, settings, revision, presence, updated_at)
      WITH RECURSIVE guild (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM guild WHERE n < ${count})
      SELECT CAST(${FIRST_GUILD_ID} + ((n - 1) << 22) AS TEXT), 'Guild ' || n,
        json_object('prefix', CAST(n % 1000 AS TEXT), 'announcement_channel', CAST(n AS TEXT),
          'beta', json(iif(n % 2 = 0, 'true', 'false')), 'language', 'en-US', 'enabledFeatures', json('["reminders"]')),
        n, 'present', ${Date.now()}
      FROM guild;
    INSERT INTO changes (revision, guild_id, at, actor_kind, actor_id, origin, before, after)
      SELECT revision, id, updated_at, 'user', '53908099506183680', 'rest', '{"prefix":"!"}',
        json_object('prefix', settings ->> 'prefix') FROM guilds;
    UPDATE meta SET last_revision = ${count};
    INSERT INTO presence_reports (shard_id, shard_count, at) VALUES (0, 1, ${Date.now()});
    COMMIT;
    PRAGMA wal_checkpoint(TRUNCATE)`);
  file.close();
  await cp(path, `${path}.peer`);
  return { ours: path, peer: `${path}.peer` };
}

/**
 * Starts a PostgreSQL server with a database of the service that has guilds, and returns its URL and that of a copy for
 * a peer.
 */
export async function seedPostgres({ progress, folder, resources }: BenchContext, count: number) {
  progress('starting PostgreSQL');
  // PostgreSQL may run as another user.
  await chmod(folder, 0o755);
  const server = resources.use(await startPostgresServer(folder));
  const urlOf = (database: string) => `postgres://postgres:postgres@127.0.0.1:${server.port}/${database}`;
  await queryPostgres(urlOf('postgres'), 'CREATE DATABASE ours');
  await runProgramToEnd({ args: [MIGRATE], env: { DATABASE_URL: urlOf('ours') } });
  await queryPostgres(
    urlOf('ours'),
    `INSERT INTO guilds (id, name, settings, revision, presence, updated_at)
       SELECT (${FIRST_GUILD_ID}::numeric + (n - 1)::numeric * 4194304)::text, 'Guild ' || n,
         jsonb_build_object('prefix', (n % 1000)::text, 'announcement_channel', n::text, 'beta', n % 2 = 0,
           'language', 'en-US', 'enabledFeatures', '["reminders"]'::jsonb), n, 'present', 0
       FROM generate_series(1, ${count}) AS n;
     INSERT INTO changes (revision, guild_id, at, actor_kind, actor_id, origin, before, after)
       SELECT revision, id, 0, 'user', '53908099506183680', 'rest', '{}', '{}' FROM guilds;
     INSERT INTO meta (id, database_id, last_revision, oldest_revision) VALUES (1, gen_random_uuid(), ${count}, 1);
     INSERT INTO presence_reports (shard_id, shard_count, at) VALUES (0, 1, 0);
     CREATE SEQUENCE plain_revisions START ${count + 1}`,
  );
  await queryPostgres(urlOf('postgres'), 'CREATE DATABASE peer TEMPLATE ours');
  return { ours: urlOf('ours'), peer: urlOf('peer') };
}
