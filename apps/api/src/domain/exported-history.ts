import { type ExportedHistory, type GuildId, type HistoryEntry, LIMITS } from '@guild-settings/contract';
import { entryOf } from './history-entry.ts';
import { type LogStore, logLines } from './log-lines.ts';

/** Returns the history of a guild up to a revision, the newest change first: as much of it as an export may have. */
export async function exportedHistory(store: LogStore, guildId: GuildId, revision: number): Promise<ExportedHistory> {
  const entries: HistoryEntry[] = [];
  let bytes = 0;
  const upTo = { guildId, after: 0, before: revision + 1, order: 'newest-first' } as const;
  for await (const lines of logLines(store, upTo)) {
    for (const entry of lines.map(entryOf)) {
      bytes += Buffer.byteLength(JSON.stringify(entry)) + 1;
      if (bytes > LIMITS.exportedHistoryBytes) {
        const before = entries.at(-1)?.revision ?? upTo.before;
        return { entries, complete: false, next: `/guilds/${guildId}/history?before=${before}` };
      }
      entries.push(entry);
    }
  }
  return { entries, complete: true };
}
