import type { Cluster } from '../cluster/cluster.ts';
import type { Random } from '../random.ts';

/** One way in which something can fail. */
export interface Fault {
  /** As a report calls it. */
  readonly name: string;
  /** What it happens to: at one time each of these has one fault at most. */
  readonly target: string;
  /** Lets it happen, and takes back what does not end by itself. */
  inflict(cluster: Cluster, random: Random): Promise<void>;
}

/** Waits for a random time, in milliseconds. */
export function some(random: Random, least: number, most: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, random.between(least, most)));
}

/** How long a process that was killed may take to be up again before that is left to the end of the round. */
export const RESTART = 15_000;
