import type { History, Snapshot, Watched } from '../history.ts';
import { evidenceOf } from './evidence.ts';
import { brokenLog, overwritingUndos, repeatedChanges, unexplainedGaps, wrongPast, wrongSwitches } from './log.ts';
import { resurrected, unrequestedErasures, wrongHistories } from './past.ts';
import { lostWrites, nonLinearGuilds, phantoms, refusedButMade, staleReads, torn } from './records.ts';

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
    torn: torn(evidence),
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

/** Violations of guarantees by kind, with their names in a report. */
export const ANOMALIES = {
  lost: 'acknowledged writes lost',
  torn: 'records torn',
  log: 'revisions out of order or missing',
  twice: 'effects applied twice',
  refusedButMade: 'refused writes that were made',
  erased: 'erasures that were refused, or that were not requested',
  resurrected: 'erased changes or values that came back',
  overwritten: 'undos that overwrote a newer value',
  restored: 'records that differ from what was put back, or from what was',
  switched: 'switches of features that were lost, or changed other features',
  history: 'histories that lack a change, or show one twice or otherwise',
  phantom: 'records seen that were never committed',
  stale: 'stale reads',
  nonLinear: 'guilds that are not linearizable',
  undocumented: 'undocumented responses',
  watchers: 'watchers that differ from the store',
  disorder: 'watcher order violations',
  arrival: 'changes answered as live that a replica did not have',
  late: 'watchers notified late',
  crashes: 'processes that ended by themselves',
} as const;

export type AnomalyKind = keyof typeof ANOMALIES;

export type Anomalies = Readonly<Record<AnomalyKind, readonly string[]>>;

export function countOf(anomalies: Anomalies): number {
  return Object.values(anomalies).reduce((sum, found) => sum + found.length, 0);
}

export function differencesOf({ name, records }: Pick<Watched, 'name' | 'records'>, { guilds }: Snapshot): string[] {
  const ids = new Set([...records.keys(), ...guilds.keys()]);
  return [...ids].flatMap((id) => {
    const [here, there] = [records.get(id), guilds.get(id)];
    const isSame =
      here?.revision === there?.revision && here?.prefix === there?.prefix && here?.channel === there?.channel;
    return isSame
      ? []
      : [`${name}: ${id} is ${here?.prefix} at ${here?.revision}, not ${there?.prefix} at ${there?.revision}`];
  });
}

/**
 * Finds changes that were answered as live while the replica of a bot had an older record, or none. Disabling a feature
 * of an unchanged guild may have no effect, and is answered with revision 0.
 */
function falselyLive({ arrived, erasable }: Pick<History, 'arrived' | 'erasable'>): string[] {
  return arrived.flatMap(({ guild, revision, replicas }) =>
    replicas.flatMap((replica, bot) => {
      const isBehind = replica === undefined ? revision > 0 && !erasable.has(guild) : replica < revision;
      return isBehind ? [`revision ${revision} of ${guild} was live, bot ${bot} had ${replica}`] : [];
    }),
  );
}
