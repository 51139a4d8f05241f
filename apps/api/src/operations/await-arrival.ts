import { setImmediate } from 'node:timers/promises';
import type { GuildAccess } from '../auth/guild-access.ts';
import type { Call } from './call.ts';

const UNKNOWN = { state: 'pending', latencyMs: null } as const;

interface AwaitedRevision {
  readonly revision: number;
  readonly isCommitted: boolean;
}

/**
 * Waits until a committed change is live, with `Prefer: wait`. It never fails: the change is committed, and a failure would say that
 * it is not.
 */
export async function awaitArrival(
  { request, response, services }: Call,
  { id }: GuildAccess,
  { revision, isCommitted }: AwaitedRevision,
): Promise<void> {
  const waitSeconds = request.preferredWait();
  if (waitSeconds === undefined) return;
  const committedAtMs = isCommitted ? services.monotonicMs() : undefined;
  // The events of the change are sent first: the wait cannot end before they are.
  await setImmediate();
  const arrival = services.arrivals.wait(id, revision, { waitMs: waitSeconds * 1_000, committedAtMs });
  response.arrival = { ...(await arrival.catch(() => UNKNOWN)), waitSeconds };
}
