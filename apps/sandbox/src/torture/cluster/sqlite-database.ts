import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { LogEntry, Seen, Snapshot } from '../history.ts';
import { COPY, type TorturedDatabase } from './database.ts';

interface ChangeRow {
  readonly revision: number;
  readonly guild: string;
  readonly before: string;
  readonly after: string | null;
}

interface GuildRow extends Seen {
  readonly guild: string;
}

/** A SQLite file, which one api process opens. */
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
    async backUp() {
      await cp(path, path + COPY);
      return async () => {
        for (const suffix of ['', '-wal', '-shm']) await rm(path + suffix, { force: true });
        await cp(path + COPY, path);
      };
    },
    async [Symbol.asyncDispose]() {},
  };
}

function snapshotOf(file: Database.Database): Snapshot {
  const last = file.prepare<[], number>('SELECT last_revision FROM meta').pluck().get();
  const log = file
    .prepare<[], ChangeRow>('SELECT revision, guild_id AS guild, before, after FROM changes ORDER BY revision')
    .all();
  const guilds = file
    .prepare<[], GuildRow>('SELECT id AS guild, revision, prefix, announcement_channel AS channel FROM guilds')
    .all();
  return {
    lastRevision: last ?? 0,
    log: log.map(({ before, after, ...row }) => ({
      ...row,
      before: JSON.parse(before) as LogEntry['before'],
      after: after === null ? null : (JSON.parse(after) as LogEntry['before']),
    })),
    guilds: new Map(guilds.map(({ guild, ...seen }) => [guild, seen])),
  };
}
