import type { Snowflake } from '@guild-settings/contract';
import { type LedgerStart, type Store, StoreUnavailableError, WriteUnconfirmedError } from '../store.ts';
import { applyLedger, type LedgerTarget } from './apply-ledger.ts';
import type { ErasureCipher, ErasureKind } from './erasure-cipher.ts';
import type { ErasureLedger, LedgerOwner } from './erasure-ledger.ts';
import { type ErasureTable, ErasureWork } from './erasure-work.ts';
import { type LedgerEntry, UnusableLedgerError } from './ledger-lines.ts';

interface ErasureOperationsOptions {
  readonly table: ErasureTable;
  readonly target: LedgerTarget;
  readonly ledger: ErasureLedger | undefined;
  readonly cipher: ErasureCipher;
}

/**
 * The operations of a store about erasures, which are the same in all stores. An erasure is committed, then recorded in the
 * ledger, then finished: its rows are deleted in slices.
 */
export class ErasureOperations {
  readonly #options: ErasureOperationsOptions;
  readonly #stopping = new AbortController();
  readonly #work: Readonly<Record<ErasureKind, ErasureWork>>;
  #unrecorded: readonly LedgerEntry[] = [];

  constructor(options: ErasureOperationsOptions) {
    const { table, cipher } = options;
    const { signal } = this.#stopping;
    this.#options = options;
    this.#work = {
      guild: new ErasureWork('guild', { table, cipher, signal }),
      person: new ErasureWork('person', { table, cipher, signal }),
    };
  }

  /** Adds an erasure that was committed. The ledger has it after the next {@link finish}. */
  add(entry: LedgerEntry): void {
    if (this.#options.ledger !== undefined) this.#unrecorded = [...this.#unrecorded, entry];
  }

  /** Records that a person's id is to be erased from all changes until now, in the database and in the ledger, as {@link Store.forget} does. */
  async forget(id: Snowflake, at: number, requireAllowed?: (lastAt: number) => void): Promise<boolean> {
    const entry = await this.#options.table.forget(id, at, requireAllowed);
    if (entry === undefined) return false;
    this.add(entry);
    await this.#record();
    return true;
  }

  /** Does the rest of the work of the erasures that were committed before. */
  async finish(kind: ErasureKind): Promise<void> {
    await this.#record();
    await this.#work[kind].finish();
  }

  /**
   * Checks the ledger, erases again what it has and the database does not, and completes it.
   * @returns number of erasures that the database did not have
   * @throws UnusableLedgerError when it does not have what the database has seen
   */
  async applyLedger(start?: LedgerStart): Promise<number> {
    const { ledger, target, table, cipher } = this.#options;
    if (start?.isNewAllowed) await target.forgetLedgers();
    if (ledger === undefined) {
      if (start !== undefined) await target.record(requireNoLedger);
      return 0;
    }
    await this.#append(ledger, []).catch((error: unknown) => {
      if (!start?.isNewAllowed || !(error instanceof UnusableLedgerError)) throw error;
      ledger.setAside();
      return this.#append(ledger, []);
    });
    const { signal } = this.#stopping;
    const applied = await applyLedger({ entries: ledger.entries, cipher, target, table, signal });
    await this.#append(ledger, await target.requested());
    return applied;
  }

  count(): Promise<number> {
    return this.#options.table.count();
  }

  /** Stops after the current slice. What is left is done after the next start. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all([this.#work.guild.idle(), this.#work.person.idle()]);
  }

  /** Resolves when the ledger has all erasures that were added. Those that cannot be written are written by the next call. */
  async #record(): Promise<void> {
    const { ledger } = this.#options;
    const entries = this.#unrecorded;
    if (ledger === undefined || entries.length === 0) return;
    await this.#append(ledger, entries).catch((cause: unknown) => {
      throw new WriteUnconfirmedError('The erasure is committed, and the ledger of erasures cannot be written', {
        cause,
      });
    });
    this.#unrecorded = this.#unrecorded.filter((entry) => !entries.includes(entry));
  }

  #append(ledger: ErasureLedger, entries: readonly LedgerEntry[]): Promise<void> {
    const { target, cipher } = this.#options;
    return ledger.append(entries, { record: target.record, cipher });
  }
}

async function requireNoLedger({ ledgers }: LedgerOwner): Promise<undefined> {
  if (ledgers.length === 0) return;
  throw new StoreUnavailableError(
    'Expected ERASURE_LEDGER, found none: the database had a ledger of erasures. Set it to the path of that file, or start once with --new to continue without.',
  );
}
