import { chmod } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { queryPostgres, startPostgresServer } from '@guild-settings/testing';
import type { BenchContext } from '../context.ts';
import { guildIds } from '../data/guilds.ts';
import { startPlaced } from './program.ts';

const MIGRATE = fileURLToPath(new URL('../../../api/dist/migrate.js', import.meta.url));

/** Two databases of one PostgreSQL server with the same guilds: the service's, and a copy for a peer. */
export interface SeededPostgres {
  readonly ours: string;
  readonly peer: string;
  readonly ids: readonly string[];
}

/**
 * Starts a server, and creates a database by the service's migrations, `ours`.
 * @returns a function that returns the address of a database of the server
 */
export async function startPostgres({ progress, folder, resources }: BenchContext) {
  progress('starting PostgreSQL');
  // PostgreSQL may run as another user.
  await chmod(folder, 0o755);
  const server = resources.use(await startPostgresServer(folder));
  const urlOf = (database: string) => `postgres://postgres:postgres@127.0.0.1:${server.port}/${database}`;
  await queryPostgres(urlOf('postgres'), 'CREATE DATABASE ours');
  const migrate = startPlaced({ file: MIGRATE, env: { DATABASE_URL: urlOf('ours') } });
  const { code } = await migrate.exited;
  if (code !== 0) throw new Error(`Expected the migrations to succeed:\n${migrate.output()}`);
  return urlOf;
}

/** Starts a server, fills its database and copies it. */
export async function seedPostgres(context: BenchContext, count: number): Promise<SeededPostgres> {
  const urlOf = await startPostgres(context);
  const [first = ''] = guildIds(1);
  await queryPostgres(
    urlOf('ours'),
    `INSERT INTO guilds (id, name, settings, revision, presence, updated_at)
       SELECT (${first}::numeric + (n - 1)::numeric * 4194304)::text, 'Guild ' || n,
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
  return { ours: urlOf('ours'), peer: urlOf('peer'), ids: guildIds(count) };
}
