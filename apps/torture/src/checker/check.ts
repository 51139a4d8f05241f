import type { History } from '../history.ts';
import type { Anomalies } from './anomalies.ts';
import { evidenceOf } from './evidence.ts';
import { unexplainedGaps } from './gaps.ts';
import { nonLinearGuilds } from './guild-history.ts';
import { wrongHistories } from './histories.ts';
import { brokenLog, repeatedChanges } from './log.ts';
import { unrequestedErasures } from './requested.ts';
import { resurrected } from './resurrected.ts';
import { lostWrites, phantoms, refusedButMade, torn } from './seen.ts';
import { staleReads } from './stale.ts';
import { wrongSwitches } from './switches.ts';
import { overwritingUndos, wrongPast } from './undos.ts';
import { differencesOf, falselyLive } from './watchers.ts';

export function check(history: History): Anomalies {
  const { operations, snapshot, watched, mayBeGone } = history;
  const evidence = evidenceOf(history);
  const gaps = new Set(unexplainedGaps(evidence));
  const logged = new Set(snapshot.log.map(({ revision }) => revision));
  const isErased = (revision: number) => !logged.has(revision) && !gaps.has(revision);
  return {
    lost: [
      ...lostWrites(evidence),
      ...[...gaps].map((revision) => `revision ${revision} is not in the log, and no erasure explains it`),
    ],
    torn: torn(history),
    log: brokenLog(snapshot, (revision) => mayBeGone(revision) || isErased(revision)),
    twice: [
      ...repeatedChanges(snapshot),
      ...watched.flatMap(({ name, repeats }) => repeats.map((one) => `${name}: ${one}`)),
    ],
    refusedButMade: refusedButMade(history),
    erased: unrequestedErasures(evidence),
    resurrected: resurrected(evidence),
    overwritten: overwritingUndos(snapshot),
    restored: wrongPast(evidence),
    switched: wrongSwitches(evidence),
    history: wrongHistories(evidence),
    phantom: phantoms(evidence),
    stale: staleReads(evidence),
    nonLinear: nonLinearGuilds(evidence),
    undocumented: operations.flatMap(({ undocumented, kind, transport, process }) =>
      undocumented === undefined ? [] : [`${kind} by ${transport} at ${process}: ${undocumented}`],
    ),
    watchers: watched.flatMap((one) => differencesOf(one, snapshot)),
    disorder: watched.flatMap(({ name, disorder }) => disorder.map((one) => `${name}: ${one}`)),
    arrival: falselyLive(history),
    late: history.late,
    crashes: history.crashes,
  };
}
