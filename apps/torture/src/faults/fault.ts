import { setTimeout as delay } from 'node:timers/promises';
import type { Cluster } from '../cluster/cluster.ts';
import type { Random } from '../random.ts';

export interface Fault {
  readonly name: string;
  readonly target: string;
  inject(cluster: Cluster, random: Random): Promise<void>;
}

export function randomDelay(random: Random, minMs: number, maxMs: number): Promise<void> {
  return delay(random.between(minMs, maxMs));
}

/** The time for a restart during a round; the end of the round heals the rest. */
export const RESTART_TIMEOUT_MS = 15_000;
