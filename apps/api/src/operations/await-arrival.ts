import { setImmediate } from 'node:timers/promises';
import type { ManagedGuild } from '../auth/managed-guild.ts';
import type { Call } from './call.ts';

/** What is said of a change when it cannot be determined where it is in use. */
const UNKNOWN = { state: 'pending', latencyMs: null } as const;

/**
 * Waits until a change is live, for at most these seconds. It never fails: the change is committed, and a failure would say that it
 * is not.
 */
export async function awaitArrival(
  { response, services }: Call,
  { id }: ManagedGuild,
  { revision, waitSeconds }: { readonly revision: number; readonly waitSeconds: number },
): Promise<void> {
  const committedAtMs = services.monotonicMs();
  // The events of the change are sent first: the wait cannot end before they are.
  await setImmediate();
  const arrival = services.arrivals.wait(id, revision, { waitMs: waitSeconds * 1_000, committedAtMs });
  const { state, latencyMs } = await arrival.catch(() => UNKNOWN);
  response.arrival = { state, latencyMs, waitSeconds };
}
