import type { GuildId, Snowflake } from '@guild-settings/contract';
import { runSlices } from '../background-slice.ts';
import type { ErasureCipher, ErasureKind } from './erasure-cipher.ts';
import type { ErasureRow } from './erasure-rows.ts';
import type { LedgerEntry } from './ledger-lines.ts';

export const MAX_UNFINISHED = 20;

/** Access of one store to its requested erasures. */
export interface ErasureTable {
  /**
   * Writes a request to erase a person, unless the person has changed nothing since the last one.
   * @param requireAllowed called with the time of the last one before another one is written; throws to refuse it
   * @returns the newest request; undefined: there is none, because the person is no author
   */
  forget(id: Snowflake, at: number, requireAllowed?: (lastAt: number) => void): Promise<LedgerEntry | undefined>;
  count(): Promise<number>;
  unfinished(kind: ErasureKind): Promise<readonly ErasureRow[]>;
  eraseHistory(id: GuildId, revision: number): Promise<boolean>;
  erasePerson(id: Snowflake, revision: number): Promise<boolean>;
  finish(ids: readonly string[]): Promise<void>;
}

interface ErasureWorkOptions {
  readonly table: ErasureTable;
  readonly cipher: ErasureCipher;
  /** Ends the work after the current slice. What is left is done after the next start. */
  readonly signal: AbortSignal;
}

/** Finishes the erasures of one kind, one run at a time. */
export class ErasureWork {
  readonly #table: ErasureTable;
  readonly #cipher: ErasureCipher;
  readonly #kind: ErasureKind;
  readonly #signal: AbortSignal;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  constructor(kind: ErasureKind, { table, cipher, signal }: ErasureWorkOptions) {
    this.#kind = kind;
    this.#table = table;
    this.#cipher = cipher;
    this.#signal = signal;
  }

  /** Resolves when the erasures that were committed before the call are finished. Simultaneous calls share a run. */
  finish(): Promise<void> {
    this.#next ??= this.#runAfter(this.#running);
    return this.#next;
  }

  async idle(): Promise<void> {
    await this.#running?.catch(() => {});
  }

  async #runAfter(running: Promise<void> | undefined): Promise<void> {
    await running?.catch(() => {});
    this.#next = undefined;
    this.#running = this.#run();
    await this.#running;
  }

  async #run(): Promise<void> {
    const signal = this.#signal;
    while (!signal.aborted) {
      const rows = await this.#table.unfinished(this.#kind);
      if (rows.length === 0) return;
      for (const { sealed, revision } of rows) await this.#erase(this.#cipher.open(sealed ?? ''), revision);
      // A run that was stopped has not finished them.
      if (signal.aborted) return;
      await this.#table.finish(rows.map(({ id }) => id));
    }
  }

  #erase(id: GuildId | Snowflake, revision: number): Promise<void> {
    const table = this.#table;
    const erase = () => (this.#kind === 'person' ? table.erasePerson(id, revision) : table.eraseHistory(id, revision));
    return runSlices(erase, this.#signal);
  }
}
