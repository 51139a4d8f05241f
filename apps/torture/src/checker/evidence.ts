import type { History, Operation } from '../history.ts';
import { Erasures } from './erasures.ts';
import { type KnownRevision, knownRevisions } from './known-revisions.ts';

/** A history, and what all checks derive from it. */
export interface Evidence extends History {
  readonly erasures: Erasures;
  /** The revisions that were shown, whether they are in the log or not. */
  readonly known: ReadonlyMap<number, KnownRevision>;
  /** The revisions of the writes that are known, by their marks. A mark is a value that no other write sets. */
  readonly marks: ReadonlyMap<string, number>;
  /** Erasures that were acknowledged. */
  readonly acknowledged: readonly AcknowledgedErasure[];
}

/** An acknowledged erasure of a guild. */
export interface AcknowledgedErasure {
  readonly guild: string;
  /** Everything of the guild up to this revision was erased. */
  readonly revision: number;
  /** When it was acknowledged. */
  readonly end: number;
}

/** Derives from a history what the checks need. */
export function evidenceOf(history: History): Evidence {
  const erasures = new Erasures(history.snapshot.log);
  return {
    ...history,
    erasures,
    known: knownRevisions(history),
    marks: marksOf(history),
    acknowledged: history.operations.flatMap((operation) => {
      const { kind, guild, end, outcome } = operation;
      if (kind !== 'erase' || outcome.kind !== 'ok') return [];
      const least = leastErased(operation, history.operations);
      // An erasure of what is not stored does nothing.
      const revision = least === 0 ? undefined : erasures.after(guild, least);
      return revision === undefined ? [] : [{ guild, revision, end }];
    }),
  };
}

/** Returns a revision of the guild that an erasure erased, if anything was stored: that of its precondition, or one acknowledged before. */
export function leastErased({ guild, ifMatch, start }: Operation, operations: readonly Operation[]): number {
  if (ifMatch !== undefined) return ifMatch;
  return operations.reduce(
    (newest, other) =>
      other.guild === guild && other.outcome.kind === 'ok' && other.end < start
        ? Math.max(newest, other.outcome.seen.revision)
        : newest,
    0,
  );
}

function marksOf({ operations, snapshot }: History): Map<string, number> {
  const marks = new Map<string, number>();
  for (const { origin, reason, revision } of snapshot.log)
    if (reason !== null && origin !== 'undo' && origin !== 'restore') marks.set(reason, revision);
  for (const { kind, mark, outcome } of operations)
    if (kind === 'write' && mark !== undefined && outcome.kind === 'ok') marks.set(mark, outcome.seen.revision);
  return marks;
}
