import { type History, isRetired, type LogEntry, type Operation, type Seen } from '../history.ts';

export interface Evidence extends History {
  readonly erasures: Erasures;
  readonly known: ReadonlyMap<number, KnownRevision>;
  /** The known revisions of the writes, by their marks. A mark is a value that no other write sets. */
  readonly marks: ReadonlyMap<string, number>;
  readonly answered: readonly Answered[];
  /** The acknowledged erasures that erased something. */
  readonly acknowledged: readonly { readonly guild: string; readonly revision: number; readonly end: number }[];
}

export interface Answered extends Operation {
  readonly seen: Seen;
}

export function evidenceOf(history: History): Evidence {
  const erasures = new Erasures(history.snapshot.log);
  const answered = history.operations.flatMap((operation): Answered[] =>
    operation.outcome.kind === 'ok' ? [{ ...operation, seen: operation.outcome.seen }] : [],
  );
  return {
    ...history,
    erasures,
    answered,
    known: knownRevisions(history, answered),
    marks: marksOf(history, answered),
    acknowledged: answered.flatMap((operation) => {
      const { kind, guild, end } = operation;
      if (kind !== 'erase') return [];
      const least = leastErased(operation, answered);
      // Erasing a guild without stored data has no effect.
      const revision = least === 0 ? undefined : erasures.after(guild, least);
      return revision === undefined ? [] : [{ guild, revision, end }];
    }),
  };
}

/**
 * Returns a revision of the guild that an erasure erased, if data was stored: that of its precondition, or one
 * acknowledged before.
 */
export function leastErased({ guild, ifMatch, start }: Operation, answered: readonly Answered[]): number {
  return ifMatch ?? newestAt(start, answered, guild);
}

/** Returns the newest revision that was answered before a time, of any guild unless one is given. */
export function newestAt(time: number, answered: readonly Answered[], guild?: string): number {
  return answered.reduce(
    (newest, one) =>
      one.end < time && (guild ?? one.guild) === one.guild ? Math.max(newest, one.seen.revision) : newest,
    0,
  );
}

function marksOf({ snapshot }: History, answered: readonly Answered[]): Map<string, number> {
  const marks = new Map<string, number>();
  for (const { origin, reason, revision } of snapshot.log)
    if (reason !== null && origin !== 'undo' && origin !== 'restore') marks.set(reason, revision);
  for (const { kind, mark, seen } of answered)
    if (kind === 'write' && mark !== undefined) marks.set(mark, seen.revision);
  return marks;
}

export interface KnownRevision {
  readonly revision: number;
  readonly guild: string;
  readonly prefix: string | undefined;
}

/** Returns the revisions known from responses and events, including those missing in the log. */
function knownRevisions(
  { watched, histories, pastReads }: History,
  answered: readonly Answered[],
): Map<number, KnownRevision> {
  const known = new Map<number, KnownRevision>();
  const add = (guild: string, revision: number, prefix: string | undefined) => {
    if (revision > 0 && known.get(revision)?.prefix === undefined) known.set(revision, { guild, revision, prefix });
  };
  for (const { guild, seen } of [...answered, ...watched.flatMap(({ received }) => received), ...pastReads])
    if (seen !== undefined) add(guild, seen.revision, seen.prefix);
  for (const { guild, lines } of histories)
    for (const { revision, to } of lines) add(guild, revision, typeof to === 'string' ? to : undefined);
  return known;
}

export function byGuild<T extends { readonly guild: string }>(items: readonly T[]): Map<string, T[]> {
  const guilds = new Map<string, T[]>();
  for (const item of items) {
    const group = guilds.get(item.guild);
    if (group) group.push(item);
    else guilds.set(item.guild, [item]);
  }
  return guilds;
}

/** The requested erasures of guilds in the log. Each divides the revisions of its guild into two lives. */
export class Erasures {
  readonly #revisions = new Map<string, number[]>();

  constructor(log: readonly LogEntry[]) {
    for (const { guild, revision, after } of log) {
      if (after === null && !isRetired(guild)) this.#revisions.set(guild, [...this.of(guild), revision]);
    }
  }

  guilds(): string[] {
    return [...this.#revisions.keys()];
  }

  of(guild: string): readonly number[] {
    return this.#revisions.get(guild) ?? [];
  }

  after(guild: string, revision: number): number | undefined {
    return this.of(guild).find((erased) => erased > revision);
  }

  isErased(guild: string, revision: number): boolean {
    return this.after(guild, revision) !== undefined;
  }

  isBetween(guild: string, after: number, before: number): boolean {
    return (this.after(guild, after) ?? before) < before;
  }

  /** Returns the revision in a response. For an erased guild, at revision 0, it may be as new as its last erasure. */
  newestShown(guild: string, revision: number): number {
    return revision > 0 ? revision : (this.of(guild).at(-1) ?? 0);
  }
}
