import type { LogEntry, Operation, Snapshot } from '../history.ts';
import { byGuild, type Evidence, type KnownRevision } from './evidence.ts';
import { type Effect, type Interval, isLinearizable } from './linearizable.ts';
import { markOf } from './log.ts';

const INITIAL = { revision: 0, value: '!' };

export function nonLinearGuilds(evidence: Evidence): string[] {
  const { operations, snapshot, erasures } = evidence;
  const made = new Map(snapshot.log.flatMap((entry) => (entry.reason === null ? [] : [[entry.reason, entry]])));
  const acknowledged = new Set(
    operations.flatMap(({ mark, outcome }) => (mark !== undefined && outcome.kind === 'ok' ? [mark] : [])),
  );
  const touches = byGuild(
    snapshot.log.filter(
      (entry) => entry.after !== null && markOf(entry) === undefined && !acknowledged.has(entry.reason ?? ''),
    ),
  );
  const erased = byGuild(erasedChanges(evidence));
  const guilds = byGuild(operations);
  return [...guilds].flatMap(([guild, own]) => {
    const requested = own.flatMap((operation) => intervalOf(operation, made, erasures.isErased(guild, 0)));
    const intervals = [
      ...requested,
      ...(touches.get(guild) ?? []).map(touch),
      ...(erased.get(guild) ?? []).map(erasedChange),
      ...(erasures.isErased(guild, 0) ? [anyTime({ type: 'unseen' })] : []),
    ];
    return isLinearizable(intervals, { initial: INITIAL, erasures: erasures.of(guild) }) ? [] : [guild];
  });
}

function anyTime(effect: Effect): Interval {
  return { start: Number.NEGATIVE_INFINITY, end: Number.POSITIVE_INFINITY, effect };
}

/** A presence report of the bot, or a switch whose response was lost: it changes the revision at an unknown time, and not the prefix. */
function touch({ revision }: Snapshot['log'][number]): Interval {
  return anyTime({ type: 'touch', revision });
}

/** Returns the revisions that were shown, and whose changes were neither acknowledged nor left in the log. */
function erasedChanges({ known, operations, snapshot, erasures }: Evidence): KnownRevision[] {
  const explained = new Set([
    ...snapshot.log.map(({ revision }) => revision),
    ...operations.flatMap(({ kind, outcome }) =>
      kind === 'write' && outcome.kind === 'ok' ? [outcome.seen.revision] : [],
    ),
  ]);
  return [...known.values()].filter(
    ({ guild, revision }) => !explained.has(revision) && erasures.isErased(guild, revision),
  );
}

/** A change of unknown time: by an operation whose response was lost, or by the bot. */
function erasedChange({ revision, prefix: value }: KnownRevision): Interval {
  return anyTime(value === undefined ? { type: 'touch', revision } : { type: 'write', revision, value });
}

/**
 * Returns the interval of an operation; none for a change of unknown outcome that is not in the log.
 * @param made the changes in the log, by the marks of their operations
 * @param wasErased whether the guild was erased, so that the log lacks changes
 */
function intervalOf(operation: Operation, made: ReadonlyMap<string, LogEntry>, wasErased: boolean): Interval[] {
  const { kind, start, end, mark = '', target, ifMatch, outcome } = operation;
  switch (outcome.kind) {
    case 'ok': {
      const { revision, prefix: value } = outcome.seen;
      if (kind === 'erase') return [{ start, end, effect: { type: 'erase', ifMatch } }];
      const entry = made.get(mark);
      // A switch, an undo or a restore that had nothing to do is a read. The log does not have one that was erased.
      const isMade = kind === 'write' || entry?.revision === revision;
      if (isMade || (kind !== 'read' && wasErased))
        return [{ start, end, effect: { type: 'write', revision, value, ifMatch, target, mayBeRead: !isMade } }];
      return [{ start, end, effect: { type: 'read', revision, value } }];
    }
    case 'refused':
      if (outcome.why === 'revision-mismatch' && ifMatch !== undefined)
        return [{ start, end, effect: { type: 'miss', ifMatch } }];
      return outcome.why === 'revision-unknown' && target !== undefined
        ? [{ start, end, effect: { type: 'unknown-target', target } }]
        : [];
    case 'unknown': {
      const infinity = Number.POSITIVE_INFINITY;
      if (kind === 'erase') return [{ start, end: infinity, effect: { type: 'erase', ifMatch } }];
      const entry = made.get(mark);
      const value = entry && markOf(entry);
      if (entry === undefined || value === undefined) return [];
      const { revision } = entry;
      return [{ start, end: infinity, effect: { type: 'write', revision, value, ifMatch } }];
    }
  }
}
