import type { RejectedRecord } from '@guild-settings/contract';
import type { Database } from 'better-sqlite3';

const SQL = {
  all: 'SELECT guild_id AS guild, revision, reason FROM rejected ORDER BY rowid',
  add: `
    INSERT INTO rejected (guild_id, revision, generation, reason) VALUES (?, ?, ?, ?)
    ON CONFLICT (guild_id) DO UPDATE
    SET revision = excluded.revision, generation = excluded.generation, reason = excluded.reason`,
  remove: 'DELETE FROM rejected WHERE guild_id = ?',
  removeOlder: 'DELETE FROM rejected WHERE generation < ?',
  /** The record of before a reset, unless there is one of after it. Any revision of after it is newer. */
  keepStaged: `
    INSERT INTO staged (guild_id, revision, record) SELECT guild_id, 0, record FROM records WHERE guild_id = ?
    ON CONFLICT (guild_id) DO NOTHING`,
} as const;

/** The guild of a record whose id cannot be read. */
const NO_GUILD = '';

interface Row {
  readonly guild: string;
  readonly revision: number;
  readonly reason: string;
}

/**
 * The records that were set aside because this version cannot read them, by guild, in the replica's file. A later version
 * fetches them again. The record that a guild had before stays in use.
 */
export function openRejectedRecords(db: Database) {
  const all = db.prepare<[], Row>(SQL.all);
  const add = db.prepare<[string, number, number, string]>(SQL.add);
  const remove = db.prepare<[string]>(SQL.remove);
  const removeOlder = db.prepare<[number]>(SQL.removeOlder);
  const keepStaged = db.prepare<[string]>(SQL.keepStaged);
  return {
    load: (): readonly RejectedRecord[] =>
      all.all().map(({ guild, ...rest }) => ({ ...rest, guild: guild === NO_GUILD ? undefined : guild })),
    add({ guild = NO_GUILD, revision, reason }: RejectedRecord, generation: number, isStaging: boolean): void {
      add.run(guild, revision, generation, reason);
      if (isStaging) keepStaged.run(guild);
    },
    remove: (guild: string) => remove.run(guild),
    /** Deletes those of before a reset, once all records of after it were received. */
    removeOlder: (generation: number) => removeOlder.run(generation),
  };
}
