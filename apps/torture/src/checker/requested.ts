import type { Operation } from '../history.ts';
import { byGuild, type Evidence, leastErased } from './evidence.ts';

/**
 * Finds erasures in the log that no operation has requested, that only refused ones have, or that erased a newer revision than
 * the one of their precondition.
 */
export function unrequestedErasures(evidence: Evidence): string[] {
  const { erasures, operations } = evidence;
  const requests = byGuild(operations.filter(({ kind, outcome }) => kind === 'erase' && outcome.kind !== 'refused'));
  return erasures.guilds().flatMap((guild) => unrequestedOf(guild, requests.get(guild) ?? [], evidence));
}

function unrequestedOf(guild: string, requests: readonly Operation[], evidence: Evidence): string[] {
  const { erasures, known } = evidence;
  const newer = [...known.values()].filter((one) => one.guild === guild);
  const found: string[] = [];
  /** Requests by the erasure that they made. Those that were acknowledged first: the others may have done nothing. */
  const made = new Map<number, Operation>();
  for (const request of requests.toSorted((one, other) => rankOf(one) - rankOf(other))) {
    const { ifMatch, outcome } = request;
    const revision = ifMatch === undefined ? undefined : erasures.after(guild, ifMatch);
    if (ifMatch === undefined || ifMatch === 0 || revision === undefined) continue;
    const overtaking = newer.find((one) => one.revision > ifMatch && one.revision < revision);
    const why = overtaking ? `though ${overtaking.revision} was newer` : 'which another one had erased';
    if (overtaking === undefined && !made.has(revision)) made.set(revision, request);
    else if (outcome.kind === 'ok') {
      found.push(`${guild} at ${revision} by If-Match ${ifMatch}, ${why}`);
      made.set(revision, request);
    }
  }
  // A request without a revision may be any erasure after what was acknowledged before it.
  const open = requests
    .filter(({ ifMatch }) => ifMatch === undefined)
    .map((request) => leastErased(request, evidence.operations))
    .toSorted((one, other) => one - other);
  for (const revision of erasures.of(guild)) {
    if (made.has(revision)) continue;
    if (open[0] === undefined || open[0] > revision) found.push(`${guild} at ${revision}, which was not requested`);
    else open.shift();
  }
  return found;
}

function rankOf({ outcome }: Operation): number {
  return outcome.kind === 'ok' ? 0 : 1;
}
