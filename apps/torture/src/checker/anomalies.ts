/** What must never happen, and how a report calls it. */
export const ANOMALIES = {
  lost: 'acknowledged writes lost',
  torn: 'records torn',
  log: 'revisions out of order or missing',
  twice: 'effects applied twice',
  refusedButMade: 'refused writes that were made',
  phantom: 'records seen that were never committed',
  stale: 'stale reads',
  nonLinear: 'guilds that are not linearizable',
  undocumented: 'undocumented answers',
  watchers: 'watchers that differ from the store',
  disorder: 'watcher order violations',
  late: 'watchers told late',
  crashes: 'processes that ended by themselves',
} as const;

export type AnomalyKind = keyof typeof ANOMALIES;

/** Each kind with what was found, in words. */
export type Anomalies = Readonly<Record<AnomalyKind, readonly string[]>>;

/** How many there are of all kinds. */
export function countOf(anomalies: Anomalies): number {
  return Object.values(anomalies).reduce((sum, found) => sum + found.length, 0);
}
