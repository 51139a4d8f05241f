import { closeSync, openSync, writeSync } from 'node:fs';
import { messageOf, SourceError } from '../sources/source.ts';

/** A row that was not taken. */
export interface RejectedRow {
  readonly place: string;
  readonly key?: string | undefined;
  readonly guild?: string | undefined;
  /** What was expected, and what was received. */
  readonly reason: string;
  /** The row, as the file has it or as it was to be imported. */
  readonly value?: unknown;
}

/** The file of rows that were not taken: a line of JSON for each. It is created with the first of them, for its owner alone. */
export class RejectsFile implements Disposable {
  /** The number of rows. */
  count = 0;
  readonly #path: string;
  #file: number | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  /** @throws SourceError when the file cannot be written */
  add(row: RejectedRow): void {
    this.count += 1;
    try {
      this.#file ??= openSync(this.#path, 'w', 0o600);
      writeSync(this.#file, `${JSON.stringify(row)}\n`);
    } catch (error) {
      const expected = `Expected to write the rows that could not be taken to ${this.#path}: ${messageOf(error)}.`;
      throw new SourceError(`${expected} Name another file with --rejects.`, { cause: error });
    }
  }

  [Symbol.dispose](): void {
    if (this.#file !== undefined) closeSync(this.#file);
  }
}
