import { closeSync, openSync, writeSync } from 'node:fs';
import { messageOf, SourceError } from '../sources/source.ts';

/** A row that was not taken. */
export interface Refusal {
  readonly place: string;
  readonly key?: string | undefined;
  readonly guild?: string | undefined;
  /** What was expected, and what was received. */
  readonly reason: string;
  /** The row, as the file has it or as it was to be imported. */
  readonly value?: unknown;
}

/** Lines written at once. */
const BUFFERED_LINES = 500;

/** The file of rows that were not taken: a line of JSON for each. It is created with the first of them, for its owner alone. */
export class RefusalFile implements Disposable {
  readonly path: string;
  #count = 0;
  #file: number | undefined;
  #lines: string[] = [];

  constructor(path: string) {
    this.path = path;
  }

  get count(): number {
    return this.#count;
  }

  /** @throws SourceError when the file cannot be written */
  add(refusal: Refusal): void {
    this.#count += 1;
    this.#lines.push(`${JSON.stringify(refusal)}\n`);
    if (this.#file === undefined || this.#lines.length >= BUFFERED_LINES) this.#flush();
  }

  [Symbol.dispose](): void {
    this.#flush();
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  #flush(): void {
    if (this.#lines.length === 0) return;
    const text = this.#lines.join('');
    // Also after a failure, which would otherwise be thrown again at the end.
    this.#lines = [];
    try {
      this.#file ??= openSync(this.path, 'w', 0o600);
      writeSync(this.#file, text);
    } catch (error) {
      const expected = `Expected to write the rows that could not be taken to ${this.path}: ${messageOf(error)}.`;
      throw new SourceError(`${expected} Name another file with --rejects.`, { cause: error });
    }
  }
}
