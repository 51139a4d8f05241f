import { ErasureCipher } from '@guild-settings/api';
import type { LogEntry } from '../history.ts';

/** Returns a log with the ids of erased guilds, which are sealed in the database, and without content in their lines. */
export function withErasures(log: readonly LogEntry[], key: string | null | undefined): LogEntry[] {
  if (typeof key !== 'string') return [...log];
  const cipher = new ErasureCipher(key);
  return log.map((entry) => {
    const isSealed = !/^\d+$/.test(entry.guild);
    return isSealed ? { ...entry, guild: cipher.open(entry.guild), after: null } : entry;
  });
}
