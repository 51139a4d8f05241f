import type { FieldPatch } from '@guild-settings/contract';
import Database from 'better-sqlite3';
import type { RefusedValue } from '../mapping/take-value.ts';

export interface StagedGuild {
  readonly guild: string;
  readonly settings: FieldPatch;
  /** The known state of a guild: unknown, or different from the service. */
  readonly place: string;
}

const STATES = { unknown: 0, differs: 1 } as const;
type State = keyof typeof STATES;

export interface BatchLimits {
  readonly maxGuilds: number;
  readonly maxBytes: number;
}

interface StagedRow {
  readonly guild: string;
  readonly settings: string;
  readonly place: string;
}

const BYTES_BESIDE_SETTINGS = 64;

/**
 * The settings of all guilds of a file, collected before anything is sent: a file may have a guild in several rows. Kept in
 * a temporary SQLite database, which holds no more than its cache in memory and is deleted by the system when the process
 * ends, whatever ends it.
 */
export class Staging implements Disposable {
  readonly #db: Database.Database;
  readonly #read: Database.Statement<[string], StagedRow>;
  readonly #write: Database.Statement<[string, string, string]>;
  readonly #mark: Database.Statement<[string]>;
  #count = 0;

  constructor() {
    // An empty name: https://www.sqlite.org/inmemorydb.html#temp_db
    this.#db = new Database('');
    this.#db.pragma('journal_mode = OFF');
    this.#db.exec(
      `CREATE TABLE guilds (guild TEXT PRIMARY KEY, settings TEXT NOT NULL, place TEXT NOT NULL, state INTEGER NOT NULL)
       WITHOUT ROWID; BEGIN`,
    );
    this.#read = this.#db.prepare('SELECT guild, settings, place FROM guilds WHERE guild = ?');
    this.#write = this.#db.prepare(
      `INSERT INTO guilds (guild, settings, place, state) VALUES (?, ?, ?, ${STATES.unknown})
       ON CONFLICT DO UPDATE SET settings = excluded.settings, place = excluded.place`,
    );
    this.#mark = this.#db.prepare(`UPDATE guilds SET state = ${STATES.differs} WHERE guild = ?`);
  }

  get count(): number {
    return this.#count;
  }

  /** Returns the settings that have another value in an earlier row of the guild, and why they cannot be taken. */
  contradictions(guild: string, settings: FieldPatch): RefusedValue[] {
    const row = this.#read.get(guild);
    if (row === undefined) return [];
    const before = JSON.parse(row.settings) as FieldPatch;
    return Object.entries(settings).flatMap(([field, value]) => {
      if (before[field] === undefined || JSON.stringify(before[field]) === JSON.stringify(value)) return [];
      const problem = `${field}: expected one value for a guild, received another one at ${row.place}`;
      return [{ field, value, problem }];
    });
  }

  add({ guild, settings, place }: StagedGuild): void {
    const row = this.#read.get(guild);
    if (row === undefined) this.#count += 1;
    const all = row === undefined ? settings : { ...(JSON.parse(row.settings) as FieldPatch), ...settings };
    this.#write.run(guild, JSON.stringify(all), row?.place ?? place);
  }

  /** Yields the guilds in a state, some at a time. Their state may be changed in between. */
  *batches(state: State, { maxGuilds, maxBytes }: BatchLimits): Generator<StagedGuild[], void> {
    const page = this.#db.prepare<[string, number, number], StagedRow>(
      'SELECT guild, settings, place FROM guilds WHERE guild > ? AND state = ? ORDER BY guild LIMIT ?',
    );
    for (let last = ''; ; ) {
      let bytes = 0;
      const batch: StagedGuild[] = [];
      for (const { guild, settings, place } of page.iterate(last, STATES[state], maxGuilds)) {
        bytes += Buffer.byteLength(settings) + BYTES_BESIDE_SETTINGS;
        if (bytes > maxBytes && batch.length > 0) break;
        batch.push({ guild, settings: JSON.parse(settings), place });
      }
      if (batch.length === 0) return;
      last = batch.at(-1)?.guild ?? '';
      yield batch;
    }
  }

  markDifferent(guild: string): void {
    this.#mark.run(guild);
  }

  [Symbol.dispose](): void {
    this.#db.close();
  }
}
