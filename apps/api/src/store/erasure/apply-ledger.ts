import type { GuildId, Snowflake } from '@guild-settings/contract';
import { runSlices } from '../background-slice.ts';
import type { ErasureCipher, ErasureKind } from './erasure-cipher.ts';
import type { LedgerRecord } from './erasure-ledger.ts';
import type { ErasureTable } from './erasure-work.ts';
import type { LedgerEntry } from './ledger-lines.ts';

export type StoredIds<Id> = AsyncIterable<readonly Id[]>;

/** Access of one store to what the ledger of erasures is compared with. */
export interface LedgerTarget extends LedgerRecord {
  requested(): Promise<readonly LedgerEntry[]>;
  guildIds(): StoredIds<GuildId>;
  /** Returns the ids of people who made changes. An id may be in several parts. */
  personIds(): StoredIds<Snowflake>;
  newestRevision(): Promise<number>;
  /** Records an erasure of the ledger, unless the database knows it. A guild is deleted, and its history is left to do. */
  apply(entry: LedgerEntry, found: FoundErasure | undefined): Promise<void>;
}

/** The id of an erasure, if the database has it, and the revision up to which a person is erased. */
export interface FoundErasure {
  readonly id: string;
  readonly revision: number;
}

interface ApplyLedgerOptions {
  readonly entries: readonly LedgerEntry[];
  readonly cipher: ErasureCipher;
  readonly target: LedgerTarget;
  readonly table: Pick<ErasureTable, 'erasePerson'>;
  /** Ends the work. What is left is done by the next call. */
  readonly signal: AbortSignal;
}

/**
 * Erases again what the ledger has and the database does not: the database is an older copy. The history of guilds is left
 * to {@link ErasureWork}, because it is not read any more.
 *
 * The erasure of a person is recorded when it is done. Another process, or a later one if this one is killed, does it as well
 * before it serves anything.
 * @returns number of erasures that were applied
 */
export async function applyLedger({ entries, cipher, target, table, signal }: ApplyLedgerOptions): Promise<number> {
  // Read before what is known: a process that has applied the ledger may serve the same people again, and log later changes.
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
