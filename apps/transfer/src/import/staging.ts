import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { FieldPatch } from '@guild-settings/contract';
import type { RefusedValue } from '../mapping/take-value.ts';
import { messageOf, SourceError } from '../sources/source.ts';
import { temporaryDatabase } from '../temporary-database.ts';

export interface StagedGuild {
  readonly guild: string;
  readonly settings: FieldPatch;
  /** The place of the guild's first row, for messages. */
  readonly place: string;
}

const STATES = { unknown: 0, differs: 1 } as const;
type State = keyof typeof STATES;

export interface BatchLimits {
  readonly maxGuilds: number;
  readonly maxBytes: number;
}

type StagedRow = Readonly<Record<'guild' | 'settings' | 'place', string>>;

const BYTES_BESIDE_SETTINGS = 64;

/** The settings of all guilds of a file, collected before sending, because a guild may be in several rows. */
export class Staging implements Disposable {
  readonly #db = temporaryDatabase(
    'guilds (guild TEXT PRIMARY KEY, settings TEXT NOT NULL, place TEXT NOT NULL, state INTEGER NOT NULL) WITHOUT ROWID',
  );
  readonly #read = this.#db.prepare<[string], StagedRow>('SELECT guild, settings, place FROM guilds WHERE guild = ?');
  readonly #write = this.#db.prepare<[string, string, string]>(
    `INSERT INTO guilds (guild, settings, place, state) VALUES (?, ?, ?, ${STATES.unknown})
     ON CONFLICT DO UPDATE SET settings = excluded.settings, place = excluded.place`,
  );
  readonly #mark = this.#db.prepare<[string]>(`UPDATE guilds SET state = ${STATES.differs} WHERE guild = ?`);
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /**
   * Returns the settings that have another value in an earlier row of the guild, with the reasons for rejecting them.
   */
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

  /** Yields the guilds in a state, some at a time. The state may be changed in between. */
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

/** A rejected row, or a rejected value of a row with other valid values. */
interface Rejected {
  readonly place: string;
  readonly key?: string | undefined;
  readonly guild?: string | undefined;
  readonly field?: string | undefined;
  readonly reason: string;
  readonly value?: unknown;
}

const MAX_EXAMPLES = 10;

/**
 * The rejected rows and values: counts, the first ones, and a file with a line of JSON for each. The file is created
 * with the first of them, with access for its owner only. Before {@link Rejects.writeTo} the lines are in a temporary
 * database.
 */
export class Rejects implements Disposable {
  rows = 0;
  values = 0;
  /** The first of them, without the value, which may be large. */
  readonly first: Omit<Rejected, 'value'>[] = [];
  readonly #kept = temporaryDatabase('lines (line TEXT NOT NULL)');
  readonly #keep = this.#kept.prepare<[string]>('INSERT INTO lines VALUES (?)');
  #path: string | undefined;
  #file: number | undefined;

  get file(): string | undefined {
    return this.#file === undefined ? undefined : this.#path;
  }

  get count(): number {
    return this.rows + this.values;
  }

  add(rejected: Rejected): void {
    if (rejected.field === undefined) this.rows += 1;
    else this.values += 1;
    const { value: _value, ...example } = rejected;
    if (this.first.length < MAX_EXAMPLES) this.first.push(example);
    const line = `${JSON.stringify(rejected)}\n`;
    if (this.#path === undefined) this.#keep.run(line);
    else this.#write(line, this.#path);
  }

  /** Writes present and future entries to a new file. @throws SourceError */
  writeTo(path: string): void {
    if (this.#path !== undefined) return;
    this.#path = path;
    for (const line of this.#kept.prepare<[], string>('SELECT line FROM lines').pluck().iterate())
      this.#write(line, path);
  }

  #write(line: string, path: string): void {
    try {
      if (this.#file === undefined) mkdirSync(dirname(path), { recursive: true });
      this.#file ??= openSync(path, 'w', 0o600);
      writeSync(this.#file, line);
    } catch (error) {
      const expected = `Expected to write the rejected rows and values to ${path}: ${messageOf(error)}.`;
      throw new SourceError(`${expected} Name another file with --rejects.`, { cause: error });
    }
  }

  [Symbol.dispose](): void {
    this.#kept.close();
    if (this.#file !== undefined) closeSync(this.#file);
  }
}
