import type { ManagedGuild } from '../auth/managed-guild.ts';
import type { Call } from './call.ts';

/** Waits until a change is live, for as long as the caller prefers. Without that preference it returns at once. */
export async function awaitArrival(
  { request, response, services }: Call,
  { id }: ManagedGuild,
  revision: number,
): Promise<void> {
  const waitSeconds = request.preferredWait();
  if (waitSeconds === undefined) return;
  const committedAtMs = services.monotonicMs();
  const arrival = await services.arrivals.wait(id, revision, { waitMs: waitSeconds * 1_000, committedAtMs });
  response.arrival = { ...arrival, waitSeconds };
}
