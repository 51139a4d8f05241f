import type { LogEntry, Snapshot } from '../history.ts';
import { byGuild, type Evidence } from './evidence.ts';
import { markOf } from './log.ts';

const DEFAULT_PREFIX = '!';

/** Finds undos in the log that replaced another value than the one that the undone change set. */
export function overwritingUndos({ log }: Snapshot): string[] {
  return [...byGuild(log.filter((entry) => markOf(entry) !== undefined)).values()].flatMap((changes) =>
    changes.flatMap((undo, index) => {
      if (undo.origin !== 'undo') return [];
      const before = changes.slice(0, index);
      const source = sourceOf(before, undo.target ?? 0);
      return source === undo.target
        ? []
        : [`revision ${undo.revision} of ${undo.guild} undid ${undo.target} over the value of ${source}`];
    }),
  );
}

/**
 * Returns the change that made the value after some changes: an undo of a change after `target` gives the value back
 * to the change that it came from before.
 */
function sourceOf(changes: readonly LogEntry[], target: number): number | undefined {
  const newest = changes.at(-1);
  if (newest === undefined || newest.revision <= target || newest.origin !== 'undo') return newest?.revision;
  const undone = newest.target ?? 0;
  if (undone < target) return newest.revision;
  return sourceOf(
    changes.slice(
      0,
      changes.findIndex(({ revision }) => revision === undone),
    ),
    target,
  );
}

/**
 * Finds undos, restores and reads of the past whose record differs from the one that was at that revision, unless that was
 * erased since: the log has it no more.
 */
export function wrongPast({ operations, pastReads, snapshot, erasures }: Evidence): string[] {
  const guilds = byGuild(snapshot.log);
  const prefixAt = (guild: string, at: number) => {
    const changes = guilds.get(guild) ?? [];
    const newest = changes.findLast(
      (entry) => entry.revision <= at && (entry.after === null || markOf(entry) !== undefined),
    );
    return newest === undefined || newest.after === null ? DEFAULT_PREFIX : markOf(newest);
  };
  const setting = new Set(snapshot.log.flatMap((entry) => (markOf(entry) === undefined ? [] : [entry.revision])));
  const hasSetPrefix = (revision: number) => setting.has(revision);
  const logged = snapshot.log.flatMap(({ guild, origin, revision, target }) => {
    if ((origin !== 'undo' && origin !== 'restore') || target === null || erasures.isErased(guild, target)) return [];
    if (origin === 'undo' && !hasSetPrefix(target)) return [];
    const expected = prefixAt(guild, origin === 'undo' ? target - 1 : target);
    return prefixAt(guild, revision) === expected
      ? []
      : [`${origin} ${revision} of ${guild} to ${target}: not ${expected}`];
  });
  const answered = operations.flatMap(({ kind, guild, target, outcome }) => {
    if ((kind !== 'undo' && kind !== 'restore') || target === undefined || outcome.kind !== 'ok') return [];
    if (erasures.isErased(guild, target)) return [];
    if (kind === 'undo' && !hasSetPrefix(target)) return [];
    const expected = prefixAt(guild, kind === 'undo' ? target - 1 : target);
    const { prefix, revision } = outcome.seen;
    return prefix === expected ? [] : [`${kind} of ${target} of ${guild}: ${prefix} at ${revision}, not ${expected}`];
  });
  const read = pastReads.flatMap(({ guild, at, process, seen }) => {
    if (erasures.isErased(guild, at)) return [];
    const expected = prefixAt(guild, at);
    return seen?.prefix === expected
      ? []
      : [`${guild} as it was at ${at}, at process ${process}: ${seen?.prefix}, not ${expected}`];
  });
  return [...logged, ...answered, ...read];
}
