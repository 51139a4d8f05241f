import type { GuildId, Snowflake } from '@guild-settings/contract';
import { runSlices } from '../background-slice.ts';
import type { ErasureCipher, ErasureKind } from './erasure-cipher.ts';
import type { ErasureRow } from './erasure-rows.ts';
import type { LedgerEntry } from './ledger-lines.ts';

/** Erasures of one run. People are erased in one pass over the log. */
export const MAX_TOGETHER = 20;

/** A person whose id is erased from the changes up to a revision. */
export interface ForgottenPerson {
  readonly id: Snowflake;
  readonly revision: number;
}

/** Access of one store to its requested erasures. */
export interface ErasureTable {
  /** Writes a request to erase a person, unless nothing was changed since the last one. @returns that request */
  forget(id: Snowflake, at: number): Promise<LedgerEntry>;
  /** Returns the number of erasures whose rows are not all erased. */
  count(): Promise<number>;
  /** Returns some erasures whose rows are not all erased. */
  unfinished(kind: ErasureKind): Promise<readonly ErasureRow[]>;
  /** Deletes a slice of the changes of a guild up to a revision. @returns whether some are left */
  eraseHistory(id: GuildId, revision: number): Promise<boolean>;
  /** Erases people from a slice of the changes after a revision. @returns the last revision of the slice; null: the last slice */
  erasePeople(people: readonly ForgottenPerson[], after: number): Promise<number | null>;
  /** Records that erasures are finished. */
  finish(ids: readonly string[]): Promise<void>;
}

/**
 * Erases people from the change log, in slices. One pass over the log is for all of them.
 * @param signal ends it after the current slice
 */
export async function erasePeople(
  table: Pick<ErasureTable, 'erasePeople'>,
  people: readonly ForgottenPerson[],
  signal: AbortSignal,
): Promise<void> {
  let reached = 0;
  await runSlices(async () => {
    const last = await table.erasePeople(people, reached);
    reached = last ?? reached;
    return last !== null;
  }, signal);
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

  /** Resolves after the current run. */
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
      const targets = rows.map(({ sealed, revision }) => ({ id: this.#cipher.open(sealed ?? ''), revision }));
      if (this.#kind === 'person') await erasePeople(this.#table, targets, signal);
      else for (const { id, revision } of targets) await this.#eraseHistory(id, revision);
      // A run that was stopped has not finished them.
      if (signal.aborted) return;
      await this.#table.finish(rows.map(({ id }) => id));
    }
  }

  #eraseHistory(id: GuildId, revision: number): Promise<void> {
    return runSlices(() => this.#table.eraseHistory(id, revision), this.#signal);
  }
}
