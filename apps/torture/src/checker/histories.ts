import type { HistoryRead, LogEntry } from '../history.ts';
import { byGuild, type Evidence } from './evidence.ts';

/**
 * Finds histories that lack a change which the service had acknowledged before, or any change between two others; or that
 * show a change twice, out of order, or otherwise than the log. Of changes that were erased since, the log has nothing: a
 * history that was read before must have those that were acknowledged.
 */
export function wrongHistories(evidence: Evidence): string[] {
  const { histories, operations, snapshot, erasures } = evidence;
  const logs = byGuild(snapshot.log);
  const acknowledged = byGuild(operations.filter(({ outcome }) => outcome.kind === 'ok'));
  return histories.flatMap((read) => {
    const { guild, process, start, lines } = read;
    const what = `the history of ${guild} at process ${process}`;
    const least = (acknowledged.get(guild) ?? []).reduce(
      (newest, { end, outcome }) =>
        end < start && outcome.kind === 'ok' ? Math.max(newest, outcome.seen.revision) : newest,
      0,
    );
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

/** Compares a history with the acknowledged changes of its range, unless they may have been erased while it was read. */
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
