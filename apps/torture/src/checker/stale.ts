import type { Operation } from '../history.ts';
import type { Erasures } from './erasures.ts';
import { byGuild, type Evidence } from './evidence.ts';

/**
 * Finds responses older than what was known when the request was sent: from an acknowledged write, another response or a
 * watcher's event, of any process. A response of an erased guild, at revision 0, may be as new as its last erasure.
 */
export function staleReads({ operations, erasures }: Pick<Evidence, 'operations' | 'erasures'>): string[] {
  return [...byGuild(operations).values()].flatMap((own) => staleOfGuild(own, erasures));
}

function staleOfGuild(operations: readonly Operation[], erasures: Erasures): string[] {
  const answered = operations.filter(({ outcome }) => outcome.kind === 'ok');
  const byEnd = answered.toSorted((one, other) => one.end - other.end);
  const byStart = answered.toSorted((one, other) => one.start - other.start);
  const found: string[] = [];
  let known = 0;
  let next = 0;
  for (const { kind, start, guild, process, floor = 0, outcome } of byStart) {
    for (let ended = byEnd[next]; ended !== undefined && ended.end < start; ended = byEnd[next]) {
      known = Math.max(known, revisionOf(ended));
      next += 1;
    }
    const least = Math.max(known, floor);
    const revision = outcome.kind === 'ok' ? erasures.newestShown(guild, outcome.seen.revision) : least;
    if (revision < least) found.push(`${kind} of ${guild} at process ${process}: ${revision} after ${least}`);
  }
  return found;
}

function revisionOf({ outcome }: Operation): number {
  return outcome.kind === 'ok' ? outcome.seen.revision : 0;
}
