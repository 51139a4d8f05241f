/** Broken guarantees, by kind, with their names in a report. */
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
