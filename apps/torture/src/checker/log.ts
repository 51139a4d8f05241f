import type { LogEntry, Snapshot } from '../history.ts';

/** Returns the value that a change set: the mark of a write, or the value that was put back; undefined when it changed other fields. */
export function markOf({ after }: LogEntry): string | undefined {
  return typeof after?.prefix === 'string' ? after.prefix : undefined;
}

/**
 * Finds revisions that are missing or out of order, changes that do not follow from the previous one, and rows that differ from
 * their newest change.
 */
export function brokenLog({ log, lastRevision, oldestRevision, guilds }: Snapshot, mayBeGone: MayBeGone): string[] {
  const found: string[] = [];
  /** The newest change of each guild; revision 0: it was erased. */
  const newest = new Map<string, { revision: number; mark: string | undefined }>();
  let next = oldestRevision;
  for (const entry of log) {
    const { guild, revision, before } = entry;
    while (next < revision && mayBeGone(next)) next += 1;
    if (revision >= oldestRevision && revision !== next) {
      found.push(`revision ${revision} found where ${next} was expected`);
      break;
    }
    if (revision < oldestRevision && !mayBeGone(revision))
      found.push(`revision ${revision} is older than the log, and was not due`);
    next = Math.max(next, revision + 1);
    if (entry.after === null) {
      newest.set(guild, { revision: 0, mark: '!' });
      continue;
    }
    const last = newest.get(guild)?.mark;
    const mark = markOf(entry);
    if (mark !== undefined && last !== undefined && before.prefix !== last) {
      found.push(`revision ${revision} of ${guild} follows ${JSON.stringify(before.prefix)}, where ${last} was`);
    }
    newest.set(guild, { revision, mark: mark ?? last });
  }
  while (next <= lastRevision && mayBeGone(next)) next += 1;
  if (lastRevision !== next - 1) found.push(`the newest revision is ${lastRevision}, the log ends at ${next - 1}`);
  for (const [guild, { revision, mark }] of newest) {
    const row = guilds.get(guild);
    if (revision === 0 && row === undefined) continue;
    if (row?.revision !== revision) found.push(`${guild} is at ${row?.revision}, its log at ${revision}`);
    else if (mark !== undefined && row.prefix !== mark) found.push(`${guild} holds ${row.prefix}, its log ${mark}`);
  }
  return found;
}

type MayBeGone = (revision: number) => boolean;

/** Finds operations that took effect more than once. */
export function repeatedChanges({ log }: Snapshot): string[] {
  const first = new Map<string, number>();
  return log.flatMap(({ reason, revision }) => {
    if (reason === null) return [];
    const earlier = first.get(reason);
    if (earlier !== undefined) return [`${reason} took effect at ${earlier} and again at ${revision}`];
    first.set(reason, revision);
    return [];
  });
}
