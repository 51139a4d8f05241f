import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { LogEntry, Seen, Snapshot } from '../history.ts';
import { COPY_SUFFIX, type TorturedDatabase, withErasures } from './database.ts';
import type { Retired, RetiredRows } from './retired.ts';

interface ChangeRow extends Omit<LogEntry, 'before' | 'after'> {
  readonly before: string;
  readonly after: string | null;
}

interface GuildRow extends Seen {
  readonly guild: string;
}

/** Describes a SQLite file, which one api process opens. */
export function sqliteDatabase(folder: string): TorturedDatabase {
  const path = join(folder, 'guild-settings.db');
  return {
    urlOf: () => `file:${path}`,
    ensureUp: async () => true,
    async read(): Promise<Snapshot> {
      const file = new Database(path, { readonly: true });
      try {
        return file.transaction(() => snapshotOf(file))();
      } finally {
        file.close();
      }
    },
    async insertRetired(rows, retired) {
      const file = new Database(path, { timeout: 5_000 });
      try {
        file.transaction(() => insertRows(file, rows, retired)).immediate();
      } catch {
        // The disk is full, or the file is locked: retention has less to erase.
      } finally {
        file.close();
      }
    },
    async backUp() {
      await cp(path, path + COPY_SUFFIX);
      return async () => {
        for (const suffix of ['', '-wal', '-shm']) await rm(path + suffix, { force: true });
        await cp(path + COPY_SUFFIX, path);
      };
    },
    async [Symbol.asyncDispose]() {},
  };
}

function insertRows(file: Database.Database, rows: RetiredRows, retired: Retired): void {
  const last = file.prepare<[], number>('SELECT last_revision FROM meta').pluck().get() ?? 0;
  retired.note(last + 1, rows);
  const change = file.prepare(
    `INSERT INTO changes (revision, guild_id, at, actor_kind, actor_id, origin, before, after)
     VALUES (?, ?, ?, 'platform', 'torture', 'platform', '{}', '{"name":"retired"}')`,
  );
  const guild = file.prepare(
    `INSERT INTO guilds (id, name, settings, revision, presence, left_at, updated_at)
     VALUES (?, 'retired', '{}', ?, 'left', ?, ?)`,
  );
  let revision = last;
  for (const id of rows.guilds) {
    for (let done = 0; done < rows.changesEach; done++) change.run(++revision, id, rows.changedAt);
    guild.run(id, revision, rows.leftAt, rows.changedAt);
  }
  file.prepare('UPDATE meta SET last_revision = ?').run(revision);
}

function snapshotOf(file: Database.Database): Snapshot {
  const meta = file
    .prepare<[], { last: number; oldest: number; key: string | null }>(
      'SELECT last_revision AS last, oldest_revision AS oldest, erasure_key AS key FROM meta',
    )
    .get();
  const log = file
    .prepare<[], ChangeRow>(
      'SELECT revision, guild_id AS guild, origin, reason, target, before, after FROM changes ORDER BY revision',
    )
    .all();
  const guilds = file
    .prepare<[], GuildRow>(
      `SELECT id AS guild, revision, coalesce(settings ->> 'prefix', '!') AS prefix,
         coalesce(settings ->> 'announcement_channel', '') AS channel FROM guilds`,
    )
    .all();
  return {
    lastRevision: meta?.last ?? 0,
    oldestRevision: meta?.oldest ?? 1,
    log: withErasures(
      log.map(({ before, after, ...row }) => ({
        ...row,
        before: JSON.parse(before) as LogEntry['before'],
        after: after === null ? null : (JSON.parse(after) as LogEntry['before']),
      })),
      meta?.key,
    ),
    guilds: new Map(guilds.map(({ guild, ...seen }) => [guild, seen])),
  };
}
