import type { Snowflake } from '@guild-settings/contract';
import type { ErasureBacklog } from '../store.ts';
import { applyLedger, type LedgerTarget } from './apply-ledger.ts';
import { CleanUp } from './clean-up.ts';
import type { ErasureCipher, ErasureKind } from './erasure-cipher.ts';
import type { ErasureLedger, LedgerEntry } from './erasure-ledger.ts';
import { ErasureRecorder } from './erasure-recorder.ts';
import { type ErasureTable, ErasureWork } from './erasures.ts';

/** Access of one store to its requested erasures. */
export interface RequestedErasures extends ErasureTable {
  /** Writes a request to erase a person, unless nothing was changed since the last one. @returns that request */
  forget(id: Snowflake, at: number): Promise<LedgerEntry>;
  /** Returns the numbers of requested erasures with work left. */
  count(): Promise<ErasureBacklog>;
  /** Removes what erased rows have left in free space of the database. @returns whether there were any */
  cleanUp(): Promise<boolean>;
}

interface ErasureOperationsOptions {
  readonly table: RequestedErasures;
  readonly target: LedgerTarget;
  /** Undefined: nothing records the erasures. */
  readonly ledger: ErasureLedger | undefined;
  readonly cipher: ErasureCipher;
  /** Key of the cipher. */
  readonly key: string;
  readonly onCleanUpError: (error: unknown) => void;
}

/** The operations of a store about erasures, which are the same in all stores. */
export class ErasureOperations {
  readonly #options: ErasureOperationsOptions;
  readonly #recorder: ErasureRecorder;
  readonly #cleanUp: CleanUp;
  readonly #stopping = new AbortController();
  readonly #work: Readonly<Record<ErasureKind, ErasureWork>>;

  constructor(options: ErasureOperationsOptions) {
    const { table, cipher, ledger, key, onCleanUpError } = options;
    const { signal } = this.#stopping;
    const onFinished = () => this.#cleanUp.request();
    this.#options = options;
    this.#recorder = new ErasureRecorder(ledger, key);
    this.#cleanUp = new CleanUp(() => table.cleanUp(), onCleanUpError);
    this.#work = {
      guild: new ErasureWork('guild', { table, cipher, signal, onFinished }),
      person: new ErasureWork('person', { table, cipher, signal, onFinished }),
    };
  }

  /** Adds an erasure that was committed. The ledger has it after the next {@link finish}. */
  add(entry: LedgerEntry): void {
    this.#recorder.add(entry);
  }

  /** Records that a person's id is to be erased from all changes until now, in the database and in the ledger. */
  async forget(id: Snowflake, at: number): Promise<void> {
    this.#recorder.add(await this.#options.table.forget(id, at));
    await this.#recorder.flush();
  }

  /** Does the rest of the work of the erasures that were committed before. */
  async finish(kind: ErasureKind): Promise<void> {
    await this.#recorder.flush();
    await this.#work[kind].finish();
  }

  /**
   * Erases again what the ledger has and the database does not, and completes the ledger.
   * @returns number of erasures that the database did not have
   */
  async applyLedger(): Promise<number> {
    const { ledger, target, table, key } = this.#options;
    const { signal } = this.#stopping;
    const applied = ledger === undefined ? 0 : await applyLedger({ ledger, target, table, signal });
    await ledger?.complete(await target.requested(), key);
    this.#cleanUp.request();
    return applied;
  }

  /** Returns the work that is left. */
  count(): Promise<ErasureBacklog> {
    return this.#options.table.count();
  }

  /** Stops after the current slice. What is left is done after the next start. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all([this.#work.guild.idle(), this.#work.person.idle()]);
    await this.#cleanUp.stop();
  }
}
