import { LIMITS } from '@guild-settings/contract';
import type { RejectedChange } from './watcher.ts';

/** The changes that a watcher has: those up to a revision, except the rejected ones. */
export interface ClaimedPosition {
  readonly revision: number;
  /** One for each guild. */
  readonly rejected: readonly RejectedChange[];
}

/**
 * Returns what is recorded of an acknowledged position. It never claims a change that was rejected:
 *
 * - A list that is as long as the longest may lack others, because earlier versions of the replica name no more. Nothing is claimed.
 * - If there is no room for the rejections, nothing from the first rejected revision on is claimed.
 *
 * @param room how many rejections can be stored
 */
export function claimedPosition({ revision, rejected }: ClaimedPosition, room: number): ClaimedPosition {
  const isComplete = rejected.length < LIMITS.rejections;
  const hasRoom = rejected.length <= room;
  const first = hasRoom ? Number.POSITIVE_INFINITY : Math.min(...rejected.map((one) => one.revision));
  return {
    revision: isComplete ? Math.max(0, Math.min(revision, first - 1)) : 0,
    // What is not acknowledged yet is not rejected either. The reason, which nothing shows, would take most of the memory.
    rejected: hasRoom ? rejected.map((one) => ({ guild: one.guild, revision: Math.min(one.revision, revision) })) : [],
  };
}
