import { closeSync, openSync, writeSync } from 'node:fs';
import Database from 'better-sqlite3';
import { messageOf, SourceError } from '../sources/source.ts';

/** A row that was not taken, or a value of a row whose other values were. */
export interface Rejected {
  readonly place: string;
  readonly key?: string | undefined;
  readonly guild?: string | undefined;
  readonly field?: string | undefined;
  readonly reason: string;
  readonly value?: unknown;
}

const MAX_EXAMPLES = 10;

/**
 * The rows and values that were not taken: counts, the first ones, and a file with a line of JSON for each. The file is
 * created with the first of them, for its owner alone. Before {@link Rejects.writeTo} the lines are in a temporary
 * SQLite database, as in `Staging`.
 */
export class Rejects implements Disposable {
  rows = 0;
  values = 0;
  /** The first of them, without the value, which may be large. */
  readonly first: Omit<Rejected, 'value'>[] = [];
  readonly #kept = new Database('');
  readonly #keep: Database.Statement<[string]>;
  #path: string | undefined;
  #file: number | undefined;

  constructor() {
    this.#kept.pragma('journal_mode = OFF');
    this.#kept.exec('CREATE TABLE lines (line TEXT NOT NULL); BEGIN');
    this.#keep = this.#kept.prepare('INSERT INTO lines VALUES (?)');
  }

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

  /** Writes to a file what has been added, and what will be, unless there is a file already. @throws SourceError */
  writeTo(path: string): void {
    if (this.#path !== undefined) return;
    this.#path = path;
    for (const line of this.#kept.prepare<[], string>('SELECT line FROM lines').pluck().iterate())
      this.#write(line, path);
  }

  #write(line: string, path: string): void {
    try {
      this.#file ??= openSync(path, 'w', 0o600);
      writeSync(this.#file, line);
    } catch (error) {
      const expected = `Expected to write what could not be taken to ${path}: ${messageOf(error)}.`;
      throw new SourceError(`${expected} Name another file with --rejects.`, { cause: error });
    }
  }

  [Symbol.dispose](): void {
    this.#kept.close();
    if (this.#file !== undefined) closeSync(this.#file);
  }
}
