import type { Seen } from '../history.ts';
import type { Evidence } from './evidence.ts';
import { markOf } from './log.ts';

/**
 * Finds what came back after an erasure: changes of a guild that are still in the log, values of before in records of after,
 * undos and restores of erased revisions, and erased revisions that were read after the erasure was acknowledged.
 */
export function resurrected(evidence: Evidence): string[] {
  return [...leftInTheLog(evidence), ...valuesOfBefore(evidence), ...putBack(evidence), ...readAfterwards(evidence)];
}

function leftInTheLog({ snapshot, erasures }: Evidence): string[] {
  return snapshot.log.flatMap(({ guild, revision, after }) =>
    after !== null && erasures.isErased(guild, revision)
      ? [`revision ${revision} of ${guild} is in the log, erased at ${erasures.after(guild, revision)}`]
      : [],
  );
}

function valuesOfBefore({ operations, snapshot, watched, marks, erasures }: Evidence): string[] {
  const seen: { readonly guild: string; readonly seen: Pick<Seen, 'revision' | 'prefix'> }[] = [
    ...operations.flatMap(({ guild, outcome }) => (outcome.kind === 'ok' ? [{ guild, seen: outcome.seen }] : [])),
    ...watched.flatMap(({ received }) => received),
    ...[...snapshot.guilds].map(([guild, row]) => ({ guild, seen: row })),
    ...snapshot.log.flatMap((entry) => {
      const { guild, revision, before } = entry;
      return [before.prefix, markOf(entry)].flatMap((prefix) =>
        typeof prefix === 'string' ? [{ guild, seen: { revision, prefix } }] : [],
      );
    }),
  ];
  return seen.flatMap(({ guild, seen: { revision, prefix } }) => {
    const written = marks.get(prefix);
    return written !== undefined && erasures.isBetween(guild, written, revision)
      ? [`${guild} at ${revision}: ${prefix} of ${written}, erased at ${erasures.after(guild, written)}`]
      : [];
  });
}

function putBack({ operations, snapshot, erasures }: Evidence): string[] {
  const logged = snapshot.log.flatMap(({ guild, origin, revision, target }) => ({
    guild,
    kind: origin,
    revision,
    target,
  }));
  const answered = operations.flatMap(({ guild, kind, target, outcome }) =>
    outcome.kind === 'ok' && target !== undefined ? [{ guild, kind, revision: outcome.seen.revision, target }] : [],
  );
  return [...logged, ...answered].flatMap(({ guild, kind, revision, target }) =>
    target !== null && erasures.isBetween(guild, target, revision)
      ? [`${kind} of ${target} of ${guild} at ${revision}, erased at ${erasures.after(guild, target)}`]
      : [],
  );
}

function readAfterwards({ acknowledged, operations, pastReads, histories, erasures }: Evidence): string[] {
  const read = [
    ...operations.flatMap(({ guild, kind, start, outcome }) =>
      kind === 'read' && outcome.kind === 'ok' && outcome.seen.revision > 0
        ? [{ guild, start, revision: outcome.seen.revision, what: 'the record' }]
        : [],
    ),
    ...pastReads.flatMap(({ guild, start, at, seen }) =>
      seen === undefined ? [] : [{ guild, start, revision: at, what: 'the record as it was' }],
    ),
    ...histories.flatMap(({ guild, start, lines }) =>
      lines.map(({ revision }) => ({ guild, start, revision, what: 'the history' })),
    ),
  ];
  return read.flatMap(({ guild, start, revision, what }) => {
    if (!erasures.isErased(guild, revision)) return [];
    const erasure = acknowledged.find((one) => one.guild === guild && one.revision > revision && one.end < start);
    return erasure === undefined
      ? []
      : [`${what} of ${guild} at ${revision} was read after the erasure at ${erasure.revision} was acknowledged`];
  });
}
