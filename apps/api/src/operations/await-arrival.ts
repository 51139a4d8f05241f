import type { ManagedGuild } from '../auth/managed-guild.ts';
import type { Call } from './call.ts';

/** Waits until a change is live, for at most these seconds. */
export async function awaitArrival(
  { response, services }: Call,
  { id }: ManagedGuild,
  { revision, waitSeconds }: { readonly revision: number; readonly waitSeconds: number },
): Promise<void> {
  const committedAtMs = services.monotonicMs();
  const arrival = await services.arrivals.wait(id, revision, { waitMs: waitSeconds * 1_000, committedAtMs });
  response.arrival = { ...arrival, waitSeconds };
}
