import { setTimeout as delay } from 'node:timers/promises';
import type { Cluster } from '../cluster/cluster.ts';
import type { Random } from '../random.ts';

/** A fault that can be injected. */
export interface Fault {
  /** Its name in a report. */
  readonly name: string;
  /** The part that fails: at most one fault per target is active at a time. */
  readonly target: string;
  /** Injects the fault and ends it. */
  inject(cluster: Cluster, random: Random): Promise<void>;
}

/** Waits for a random time. */
export function randomDelay(random: Random, minMs: number, maxMs: number): Promise<void> {
  return delay(random.between(minMs, maxMs));
}

/** How long a restart may take during a round; the end of the round heals the rest. */
export const RESTART_TIMEOUT_MS = 15_000;
