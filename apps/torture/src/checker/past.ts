import type { HistoryRead, LogEntry, Operation } from '../history.ts';
import { byGuild, type Evidence, leastErased, newestAt } from './evidence.ts';
import { markOf } from './log.ts';

/**
 * Finds histories that lack a change which the service had acknowledged before, or a change between two others; or that
 * contain a change twice, out of order, or different from the log. The log lacks changes that were erased since: a
 * history that was read before must have the acknowledged ones.
 */
export function wrongHistories(evidence: Evidence): string[] {
  const { histories, answered, snapshot, erasures } = evidence;
  const logs = byGuild(snapshot.log);
  return histories.flatMap((read) => {
    const { guild, process, start, lines } = read;
    const what = `the history of ${guild} at process ${process}`;
    const least = newestAt(start, answered, guild);
    const newest = erasures.newestShown(guild, lines[0]?.revision ?? 0);
    const isErased = erasures.isErased(guild, lines[0]?.revision ?? Number.MAX_SAFE_INTEGER);
    return [
      ...(newest < least ? [`${what} begins at ${newest}, after ${least} was acknowledged`] : []),
      ...(isErased ? missingOfErased(read, evidence) : differences(read, logs.get(guild) ?? [])).map(
        (one) => `${what}: ${one}`,
      ),
    ];
  });
}

/** Time after which an operation of unknown outcome has taken effect, or never will, in milliseconds. */
const MAX_EFFECT_MS = 30_000;

/** Compares a history with the acknowledged changes of its range, unless they may have been erased during the read. */
function missingOfErased({ guild, start, end, lines }: HistoryRead, { operations, erasures }: Evidence): string[] {
  const [newest, oldest] = [lines[0]?.revision ?? 0, lines.at(-1)?.revision ?? 0];
  const isErasing = operations.some(
    (one) =>
      one.guild === guild &&
      one.kind === 'erase' &&
      one.outcome.kind !== 'refused' &&
      one.start < end &&
      one.end + (one.outcome.kind === 'unknown' ? MAX_EFFECT_MS : 0) > start,
  );
  if (isErasing) return [];
  const shown = new Set(lines.map(({ revision }) => revision));
  return operations.flatMap((operation) => {
    const { kind, outcome } = operation;
    if (kind !== 'write' || operation.guild !== guild || outcome.kind !== 'ok') return [];
    const { revision } = outcome.seen;
    const isExpected = revision > oldest && revision < newest && !erasures.isBetween(guild, revision, newest);
    return isExpected && !shown.has(revision) ? [`${revision} is missing, which was acknowledged`] : [];
  });
}

function differences({ lines, isWhole }: HistoryRead, log: readonly LogEntry[]): string[] {
  const [newest, oldest] = [lines[0]?.revision ?? 0, isWhole ? 0 : (lines.at(-1)?.revision ?? 0)];
  const expected = log
    .filter(({ revision, after }) => revision <= newest && revision >= oldest && after !== null)
    .toReversed()
    .map(({ revision, before, after }) => ({ revision, from: before.prefix, to: after?.prefix }));
  const shown = lines.map(textOf);
  const logged = expected.map(textOf);
  const [isShown, isLogged] = [new Set(shown), new Set(logged)];
  return [
    ...logged.filter((line) => !isShown.has(line)).map((line) => `${line} is missing`),
    ...shown.filter((line) => !isLogged.has(line)).map((line) => `${line} is not in the log`),
    ...shown.filter((line, index) => index > 0 && shown[index - 1] === line).map((line) => `${line} is shown twice`),
    ...(lines.some(({ revision }, index) => revision > (lines[index - 1]?.revision ?? Number.POSITIVE_INFINITY))
      ? ['out of order']
      : []),
  ];
}

function textOf({ revision, from, to }: { readonly revision: number; readonly from: unknown; readonly to: unknown }) {
  return `${revision} from ${JSON.stringify(from)} to ${JSON.stringify(to)}`;
}

/**
 * Finds erasures in the log that were not requested, that were only requested by refused operations, or that erased a
 * revision newer than their precondition.
 */
export function unrequestedErasures(evidence: Evidence): string[] {
  const { erasures, operations } = evidence;
  const requests = byGuild(operations.filter(({ kind, outcome }) => kind === 'erase' && outcome.kind !== 'refused'));
  return erasures.guilds().flatMap((guild) => unrequestedOf(guild, requests.get(guild) ?? [], evidence));
}

function unrequestedOf(guild: string, requests: readonly Operation[], evidence: Evidence): string[] {
  const { erasures, known } = evidence;
  const newer = [...known.values()].filter((one) => one.guild === guild);
  const found: string[] = [];
  /** Requests by the erasure that they made, acknowledged ones first: the others may have had no effect. */
  const made = new Map<number, Operation>();
  for (const request of requests.toSorted((one, other) => rankOf(one) - rankOf(other))) {
    const { ifMatch, outcome } = request;
    const revision = ifMatch === undefined ? undefined : erasures.after(guild, ifMatch);
    if (ifMatch === undefined || ifMatch === 0 || revision === undefined) continue;
    const overtaking = newer.find((one) => one.revision > ifMatch && one.revision < revision);
    const why = overtaking ? `though ${overtaking.revision} was newer` : 'which another one had erased';
    if (overtaking === undefined && !made.has(revision)) made.set(revision, request);
    else if (outcome.kind === 'ok') {
      found.push(`${guild} at ${revision} by If-Match ${ifMatch}, ${why}`);
      made.set(revision, request);
    }
  }
  // A request without a revision may have made any erasure after those acknowledged before it.
  const open = requests
    .filter(({ ifMatch }) => ifMatch === undefined)
    .map((request) => leastErased(request, evidence.answered))
    .toSorted((one, other) => one - other);
  for (const revision of erasures.of(guild)) {
    if (made.has(revision)) continue;
    if (open[0] === undefined || open[0] > revision) found.push(`${guild} at ${revision}, which was not requested`);
    else open.shift();
  }
  return found;
}

function rankOf({ outcome }: Operation): number {
  return outcome.kind === 'ok' ? 0 : 1;
}

/**
 * Finds data that came back after an erasure: changes of a guild that are still in the log, earlier values in later
 * records, undos and restores of erased revisions, and erased revisions that were read after the erasure was
 * acknowledged.
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

function valuesOfBefore({ answered, snapshot, watched, marks, erasures }: Evidence): string[] {
  const seen = [
    ...answered,
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

function putBack({ answered, snapshot, erasures }: Evidence): string[] {
  const logged = snapshot.log.map(({ origin, ...entry }) => ({ ...entry, kind: origin }));
  const made = answered.map(({ seen: { revision }, ...operation }) => ({ ...operation, revision }));
  return [...logged, ...made].flatMap(({ guild, kind, revision, target }) =>
    typeof target === 'number' && erasures.isBetween(guild, target, revision)
      ? [`${kind} of ${target} of ${guild} at ${revision}, erased at ${erasures.after(guild, target)}`]
      : [],
  );
}

function readAfterwards({ acknowledged, answered, pastReads, histories, erasures }: Evidence): string[] {
  const read = [
    ...answered.flatMap(({ guild, kind, start, seen: { revision } }) =>
      kind === 'read' && revision > 0 ? [{ guild, start, revision, what: 'the record' }] : [],
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
