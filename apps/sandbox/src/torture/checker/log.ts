import type { LogEntry, Snapshot } from '../history.ts';

/** What of an entry the writers write; undefined when it changed something else. */
export function markOf({ after }: LogEntry): string | undefined {
  return typeof after?.prefix === 'string' ? after.prefix : undefined;
}

/** Revisions that are missing or out of order, changes that do not follow from the one before, rows that are not their newest. */
export function brokenLog({ log, lastRevision, guilds }: Snapshot): string[] {
  const found: string[] = [];
  const newest = new Map<string, { revision: number; mark: string | undefined }>();
  for (const [index, entry] of log.entries()) {
    if (entry.revision !== index + 1) {
      found.push(`revision ${entry.revision} stands where ${index + 1} belongs`);
      break;
    }
    const { guild, revision, before } = entry;
    const last = newest.get(guild)?.mark;
    const mark = markOf(entry);
    if (mark !== undefined && last !== undefined && before.prefix !== last) {
      found.push(`revision ${revision} of ${guild} follows ${JSON.stringify(before.prefix)}, where ${last} was`);
    }
    newest.set(guild, { revision, mark: mark ?? last });
  }
  if (lastRevision !== log.length) found.push(`the newest revision is ${lastRevision}, the log has ${log.length}`);
  for (const [guild, { revision, mark }] of newest) {
    const row = guilds.get(guild);
    if (row?.revision !== revision) found.push(`${guild} is at ${row?.revision}, its log at ${revision}`);
    else if (mark !== undefined && row.prefix !== mark) found.push(`${guild} holds ${row.prefix}, its log ${mark}`);
  }
  return found;
}

/** Writes that were made more than once. */
export function repeatedMarks({ log }: Snapshot): string[] {
  const first = new Map<string, number>();
  return log.flatMap((entry) => {
    const mark = markOf(entry);
    if (mark === undefined) return [];
    const earlier = first.get(mark);
    if (earlier !== undefined) return [`${mark} was made at ${earlier} and again at ${entry.revision}`];
    first.set(mark, entry.revision);
    return [];
  });
}
