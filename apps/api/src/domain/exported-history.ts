import { type ExportedHistory, type GuildId, type HistoryEntry, LIMITS } from '@guild-settings/contract';
import { entryOf } from './history-entry.ts';
import { erasedUpTo, type LogReader, type LogStore, walkLog } from './walk-log.ts';

interface HistoryUpTo {
  readonly guildId: GuildId;
  readonly revision: number;
}

/** Returns the history of a guild up to a revision, the newest change first: as much of it as an export may have. */
export async function exportedHistory(
  store: LogStore,
  { guildId, revision }: HistoryUpTo,
  reader: LogReader,
): Promise<ExportedHistory> {
  const entries: HistoryEntry[] = [];
  let bytes = 0;
  const after = await erasedUpTo(store, guildId);
  const upTo = { guildId, after, before: revision + 1, order: 'newest-first' } as const;
  await walkLog({ store, reader, ...upTo }, (lines) => {
    for (const entry of lines.map(entryOf)) {
      bytes += Buffer.byteLength(JSON.stringify(entry)) + 1;
      if (bytes > LIMITS.exportedHistoryBytes) return true;
      entries.push(entry);
    }
    return false;
  });
  if (bytes <= LIMITS.exportedHistoryBytes) return { entries, complete: true };
  const before = entries.at(-1)?.revision ?? upTo.before;
  return { entries, complete: false, next: `/guilds/${guildId}/history?before=${before}` };
}
