import type { History, HistoryRead, LogEntry } from '../history.ts';
import { byGuild } from './by-guild.ts';

/**
 * Finds histories that lack a change which the service had acknowledged before, or any change between two others; or that
 * show a change twice, out of order, or otherwise than the log.
 */
export function wrongHistories({ histories, operations, snapshot }: History): string[] {
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
    const newest = lines[0]?.revision ?? 0;
    return [
      ...(newest < least ? [`${what} begins at ${newest}, after ${least} was acknowledged`] : []),
      ...differences(read, logs.get(guild) ?? []).map((one) => `${what}: ${one}`),
    ];
  });
}

/** Compares a history with the changes of the log in its range. */
function differences({ lines, isWhole }: HistoryRead, log: readonly LogEntry[]): string[] {
  const [newest, oldest] = [lines[0]?.revision ?? 0, isWhole ? 0 : (lines.at(-1)?.revision ?? 0)];
  const expected = log
    .filter(({ revision }) => revision <= newest && revision >= oldest)
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
