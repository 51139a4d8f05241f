import type { GuildId, Snowflake } from '@guild-settings/contract';
import { ErasureCipher } from './erasure-cipher.ts';
import type { ErasureLedger, KeyedEntry, LedgerEntry } from './erasure-ledger.ts';

/** Ids of one kind, in parts. */
export type StoredIds<Id> = AsyncIterable<readonly Id[]>;

/** Access of one store to what the ledger of erasures is compared with. */
export interface LedgerTarget {
  /** Returns all requested erasures that the database knows. */
  requested(): Promise<readonly LedgerEntry[]>;
  guildIds(): StoredIds<GuildId>;
  /** Returns the ids of people who made changes. An id may be in several parts. */
  personIds(): StoredIds<Snowflake>;
  /**
   * Records an erasure of the ledger, unless the database knows it.
   * @param id the guild or person that it is about; undefined: the database does not have them
   */
  apply(entry: LedgerEntry, id: string | undefined): Promise<void>;
}

/**
 * Erases again what the ledger has and the database does not: the database is an older copy. What is left to do then is done
 * by {@link ErasureWork}.
 * @returns number of erasures that were applied
 */
export async function applyLedger(ledger: ErasureLedger, target: LedgerTarget): Promise<number> {
  const known = new Set((await target.requested()).map(({ id }) => id));
  const missing = ledger.entries.filter(({ id }) => !known.has(id));
  if (missing.length === 0) return 0;
  const guilds = await findIds(missing, 'guild', target.guildIds());
  const people = await findIds(missing, 'person', target.personIds());
  const found = new Map([...guilds, ...people]);
  for (const entry of missing) await target.apply(entry, found.get(entry.hash));
  return missing.length;
}

/** Finds the ids of erasures among those that are stored, by their hashes. */
async function findIds(
  entries: readonly KeyedEntry[],
  kind: LedgerEntry['kind'],
  stored: StoredIds<string>,
): Promise<ReadonlyMap<string, string>> {
  const ofKind = entries.filter((entry) => entry.kind === kind);
  const found = new Map<string, string>();
  if (ofKind.length === 0) return found;
  const hashes = new Set(ofKind.map(({ hash }) => hash));
  const ciphers = [...new Set(ofKind.map(({ key }) => key))].map((key) => new ErasureCipher(key));
  for await (const ids of stored) {
    for (const id of ids) {
      for (const cipher of ciphers) {
        const hash = cipher.hash(kind, id);
        if (hashes.has(hash)) found.set(hash, id);
      }
    }
  }
  return found;
}
