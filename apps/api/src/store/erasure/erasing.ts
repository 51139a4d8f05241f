import type { GuildId, Snowflake } from '@guild-settings/contract';
import { runSlices } from '../background-slice.ts';
import type { ErasureKind } from '../store.ts';
import { type LedgerStart, type Store, StoreUnavailableError, WriteUnconfirmedError } from '../store.ts';
import { type ErasureLedger, type LedgerOwner, type LedgerRecord, UnusableLedgerError } from './erasure-ledger.ts';
import type { ErasureCipher, ErasureRow, LedgerEntry } from './erasure-rows.ts';

interface ErasureOperationsOptions {
  readonly table: ErasureTable;
  readonly target: LedgerTarget;
  readonly ledger: ErasureLedger | undefined;
  readonly cipher: ErasureCipher;
}

/**
 * The operations of a store for erasures, which all stores share. An erasure is committed, then recorded in the ledger,
 * then finished: its rows are deleted in slices.
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
      guild: new ErasureWork({ kind: 'guild', table, cipher, signal }),
      person: new ErasureWork({ kind: 'person', table, cipher, signal }),
    };
  }

  /** Adds a committed erasure. The next {@link finish} records it in the ledger. */
  add(entry: LedgerEntry): void {
    if (this.#options.ledger !== undefined) this.#unrecorded = [...this.#unrecorded, entry];
  }

  /**
   * Records a request to erase a person's id from all changes until now, in the database and in the ledger: see
   * {@link Store.forget}.
   */
  async forget(id: Snowflake, at: number, requireAllowed?: (lastAt: number) => void): Promise<boolean> {
    const entry = await this.#options.table.forget(id, at, requireAllowed);
    if (entry === undefined) return false;
    this.add(entry);
    await this.#record();
    return true;
  }

  /** Completes the erasures that were committed before. */
  async finish(kind: ErasureKind): Promise<void> {
    await this.#record();
    await this.#work[kind].finish();
  }

  /**
   * Checks the ledger, repeats its erasures that are missing in the database, and completes it.
   * @returns number of erasures that were missing in the database
   * @throws UnusableLedgerError when the ledger lacks lines that the database has seen
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

  /** Stops after the current slice. Remaining work is done after the next start. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all([this.#work.guild.idle(), this.#work.person.idle()]);
  }

  /** Resolves when the ledger has all added erasures. Those that cannot be written are retried with the next call. */
  async #record(): Promise<void> {
    const { ledger } = this.#options;
    const entries = this.#unrecorded;
    if (ledger === undefined || entries.length === 0) return;
    await this.#append(ledger, entries).catch((cause: unknown) => {
      throw new WriteUnconfirmedError('The erasure is committed, but the ledger of erasures cannot be written', {
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
    'Expected ERASURE_LEDGER, found none: the database had a ledger of erasures. Set it to the path of that file, or start once with --new to continue without it.',
  );
}

type StoredIds<Id> = AsyncIterable<readonly Id[]>;

/** Access of a store to the data that the ledger of erasures is compared with. */
export interface LedgerTarget extends LedgerRecord {
  requested(): Promise<readonly LedgerEntry[]>;
  guildIds(): StoredIds<GuildId>;
  /** Returns the ids of people who made changes. An id may be in several batches. */
  personIds(): StoredIds<Snowflake>;
  newestRevision(): Promise<number>;
  /**
   * Records an erasure of the ledger, unless the database has it. A guild is deleted; its history remains to be erased.
   */
  apply(entry: LedgerEntry, found: FoundErasure | undefined): Promise<void>;
}

/** The id of an erasure in the database, and the revision up to which a person is erased. */
interface FoundErasure {
  readonly id: string;
  readonly revision: number;
}

interface ApplyLedgerOptions {
  readonly entries: readonly LedgerEntry[];
  readonly cipher: ErasureCipher;
  readonly target: LedgerTarget;
  readonly table: Pick<ErasureTable, 'erasePerson'>;
  /** Stops the work. The next call does the rest. */
  readonly signal: AbortSignal;
}

/**
 * Repeats erasures that are in the ledger and missing in the database, which is then an older copy. The history of
 * guilds is left to {@link ErasureWork}, because it is no longer read.
 *
 * The erasure of a person is recorded after it is done. If another process runs meanwhile, or this one is killed, the
 * erasure is repeated before requests are served.
 * @returns number of erasures that were applied
 */
async function applyLedger({ entries, cipher, target, table, signal }: ApplyLedgerOptions): Promise<number> {
  // Read before the known erasures: another process that has applied the ledger may serve the same people again, and
  // log later changes.
  const revision = await target.newestRevision();
  const known = new Set((await target.requested()).map(({ id }) => id));
  const missing = entries.filter(({ id }) => !known.has(id));
  if (missing.length === 0) return 0;
  const guilds = await findIds(missing, 'guild', { cipher, stored: target.guildIds() });
  const people = await findIds(missing, 'person', { cipher, stored: target.personIds() });
  for (const id of new Set(people.values())) await runSlices(() => table.erasePerson(id, revision), signal);
  if (signal.aborted) return 0;
  const found = new Map([...guilds, ...people]);
  for (const entry of missing) {
    const id = found.get(entry.hash);
    await target.apply(entry, id === undefined ? undefined : { id, revision });
  }
  return missing.length;
}

async function findIds(
  entries: readonly LedgerEntry[],
  kind: ErasureKind,
  { cipher, stored }: { readonly cipher: ErasureCipher; readonly stored: StoredIds<string> },
): Promise<ReadonlyMap<string, string>> {
  const ofKind = entries.filter((entry) => entry.kind === kind);
  const found = new Map<string, string>();
  if (ofKind.length === 0) return found;
  const hashes = new Set(ofKind.map(({ hash }) => hash));
  for await (const ids of stored) {
    for (const id of ids) {
      const hash = cipher.hash(kind, id);
      if (hashes.has(hash)) found.set(hash, id);
    }
  }
  return found;
}

export const MAX_UNFINISHED = 20;

export interface ErasureTable {
  /**
   * Writes a request to erase a person, unless the person has changed nothing since the last request.
   * @param requireAllowed called with the time of the last request before another one is written; throws to refuse it
   * @returns the newest request; undefined: none, because the person is not an author
   */
  forget(id: Snowflake, at: number, requireAllowed?: (lastAt: number) => void): Promise<LedgerEntry | undefined>;
  count(): Promise<number>;
  unfinished(kind: ErasureKind): Promise<readonly ErasureRow[]>;
  eraseHistory(id: GuildId, revision: number): Promise<boolean>;
  erasePerson(id: Snowflake, revision: number): Promise<boolean>;
  finish(ids: readonly string[]): Promise<void>;
}

interface ErasureWorkOptions {
  readonly kind: ErasureKind;
  readonly table: ErasureTable;
  readonly cipher: ErasureCipher;
  /** Stops the work after the current slice. The rest is done after the next start. */
  readonly signal: AbortSignal;
}

class ErasureWork {
  readonly #options: ErasureWorkOptions;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  constructor(options: ErasureWorkOptions) {
    this.#options = options;
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
    const { kind, table, cipher, signal } = this.#options;
    while (!signal.aborted) {
      const rows = await table.unfinished(kind);
      if (rows.length === 0) return;
      for (const { sealed, revision } of rows) {
        const id = cipher.open(sealed ?? '');
        await runSlices(
          () => (kind === 'person' ? table.erasePerson(id, revision) : table.eraseHistory(id, revision)),
          signal,
        );
      }
      // A run that was stopped has not finished the erasures.
      if (signal.aborted) return;
      await table.finish(rows.map((row) => row.id));
    }
  }
}
