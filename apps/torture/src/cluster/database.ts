import { ErasureCipher } from '@guild-settings/api';
import type { LogEntry, Snapshot } from '../history.ts';
import type { Retired, RetiredRows } from './retired.ts';

/** The database of the api processes, as the harness uses it. */
export interface TorturedDatabase extends AsyncDisposable {
  urlOf(process: number): string;
  ensureUp(timeoutMs: number): Promise<boolean>;
  read(): Promise<Snapshot>;
  /** Inserts rows under the next revisions in one transaction, as another process would. Never rejects. */
  insertRetired(rows: RetiredRows, retired: Retired): Promise<void>;
  /** Copies the database, which no process may use meanwhile. The result restores the copy. */
  backUp(): Promise<() => Promise<void>>;
}

export const COPY_SUFFIX = '.copy';

/** Returns a log with the ids of erased guilds, which are sealed in the database, and without content in their lines. */
export function withErasures(log: readonly LogEntry[], key: string | null | undefined): LogEntry[] {
  if (typeof key !== 'string') return [...log];
  const cipher = new ErasureCipher(key);
  return log.map((entry) => {
    const isSealed = !/^\d+$/.test(entry.guild);
    return isSealed ? { ...entry, guild: cipher.open(entry.guild), after: null } : entry;
  });
}
