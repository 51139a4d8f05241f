import type { ErasureLedger, LedgerEntry } from './erasure-ledger.ts';

/** Records the committed erasures of one process in the ledger, if there is one. */
export class ErasureRecorder {
  readonly #ledger: ErasureLedger | undefined;
  readonly #key: string;
  #waiting: readonly LedgerEntry[] = [];
  #flushing: Promise<void> = Promise.resolve();

  /** @param key key of the hashes */
  constructor(ledger: ErasureLedger | undefined, key: string) {
    this.#ledger = ledger;
    this.#key = key;
  }

  /** Adds an erasure that was committed. */
  add(entry: LedgerEntry): void {
    if (this.#ledger !== undefined) this.#waiting = [...this.#waiting, entry];
  }

  /** Resolves when all erasures that were added are on the disk. Those that cannot be written are written by the next call. */
  flush(): Promise<void> {
    this.#flushing = this.#flushing.catch(() => {}).then(() => this.#flush());
    return this.#flushing;
  }

  async #flush(): Promise<void> {
    const entries = this.#waiting;
    await this.#ledger?.append(entries, this.#key);
    this.#waiting = this.#waiting.filter((entry) => !entries.includes(entry));
  }
}
