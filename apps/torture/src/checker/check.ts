import type { History } from '../history.ts';
import type { Anomalies } from './anomalies.ts';
import { nonLinearGuilds } from './guild-history.ts';
import { wrongHistories } from './histories.ts';
import { brokenLog, repeatedChanges } from './log.ts';
import { lostWrites, phantoms, refusedButMade, torn } from './seen.ts';
import { staleReads } from './stale.ts';
import { overwritingUndos, wrongPast } from './undos.ts';
import { differencesOf } from './watchers.ts';

/** Finds the anomalies in a history. */
export function check(history: History): Anomalies {
  const { operations, snapshot, watched, mayBeGone } = history;
  return {
    lost: lostWrites(history),
    torn: torn(history),
    log: brokenLog(snapshot, mayBeGone),
    twice: [
      ...repeatedChanges(snapshot),
      ...watched.flatMap(({ name, repeats }) => repeats.map((one) => `${name}: ${one}`)),
    ],
    refusedButMade: refusedButMade(history),
    overwritten: overwritingUndos(snapshot),
    restored: wrongPast(history),
    history: wrongHistories(history),
    phantom: phantoms(history),
    stale: staleReads(operations),
    nonLinear: nonLinearGuilds(history),
    undocumented: operations.flatMap(({ undocumented, kind, transport, process }) =>
      undocumented === undefined ? [] : [`${kind} by ${transport} at ${process}: ${undocumented}`],
    ),
    watchers: watched.flatMap((one) => differencesOf(one, snapshot)),
    disorder: watched.flatMap(({ name, disorder }) => disorder.map((one) => `${name}: ${one}`)),
    late: history.late,
    crashes: history.crashes,
  };
}
