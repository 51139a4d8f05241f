import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { BenchContext } from '../context.ts';
import { startApi } from '../servers/api.ts';
import { guildIds } from './guilds.ts';

/** A database of the service with some number of guilds and one change each. */
export interface SeededFile {
  readonly path: string;
  readonly ids: readonly string[];
}

/** Creates a database by the service's migrations and fills it with guilds. */
export async function seedSqlite(context: BenchContext, name: string, count: number): Promise<SeededFile> {
  context.progress(`filling a file with ${count.toLocaleString('en')} guilds`);
  const path = join(context.folder, `${name}.db`);
  const migrated = await startApi({ databaseUrl: `file:${path}`, discordUrl: 'http://127.0.0.1:1/api' });
  await migrated[Symbol.asyncDispose]();
  const ids = guildIds(count);
  const file = new Database(path);
  file.pragma('synchronous = OFF');
  const guild = file.prepare(
    `INSERT INTO guilds (id, name, icon, settings, revision, presence, updated_at)
     VALUES (?, ?, NULL, ?, ?, 'present', ?)`,
  );
  const change = file.prepare(
    `INSERT INTO changes (revision, guild_id, at, actor_kind, actor_id, origin, before, after)
     VALUES (?, ?, ?, 'user', '53908099506183680', 'rest', '{"prefix":"!"}', ?)`,
  );
  file.transaction(() => {
    const now = Date.now();
    for (const [index, id] of ids.entries()) {
      const revision = index + 1;
      const prefix = `${index % 1_000}`;
      const settings = {
        prefix,
        announcement_channel: String(BigInt(id) + 1n),
        beta: index % 2 === 1,
        language: 'en-US',
        enabledFeatures: index % 2 === 0 ? ['reminders'] : [],
      };
      guild.run(id, `Guild ${id}`, JSON.stringify(settings), revision, now);
      change.run(revision, id, now, `{"prefix":"${prefix}"}`);
    }
    file.prepare('UPDATE meta SET last_revision = ?').run(count);
    file.prepare('INSERT INTO presence_reports (shard_id, shard_count, at) VALUES (0, 1, ?)').run(now);
  })();
  file.pragma('wal_checkpoint(TRUNCATE)');
  file.close();
  return { path, ids };
}

export async function copyOf({ path, ids }: SeededFile, name: string): Promise<SeededFile> {
  const copy = `${path}.${name}`;
  await cp(path, copy);
  return { path: copy, ids };
}
