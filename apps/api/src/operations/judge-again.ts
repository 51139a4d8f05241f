import type { GuildAccess } from '../auth/guild-access.ts';
import { authenticateToken, authorizeCaller, authorizerOf, type Caller, callerOf } from './authorize.ts';
import type { Call } from './call.ts';

/** The shortest time between two judgements of one stream, in milliseconds: during an outage of Discord checks are old. */
const SHORTEST_MS = 5_000;

/** Returns until when a stream may rely on the check of its caller and their roles, in monotonic milliseconds. */
export function judgedUntil(
  { services }: Call,
  { mayWriteUntilMs, tokenExpiresAtMs }: Caller,
  { untilMs = tokenExpiresAtMs }: GuildAccess,
): number {
  return Math.max(Math.min(mayWriteUntilMs, tokenExpiresAtMs, untilMs), services.monotonicMs() + SHORTEST_MS);
}

/**
 * Judges again whether the caller of a stream may read a guild.
 * @returns until when the stream may rely on it, in monotonic milliseconds
 * @throws ProblemError not-guild-manager, invalid-token, insufficient-scope, discord-unavailable
 */
export async function judgeAgain(call: Call, { id }: GuildAccess): Promise<number> {
  const checked = await authenticateToken(call, { allowStale: true });
  const { caller, guild } = await authorizeCaller(call, callerOf(call, checked), {
    id,
    authorize: authorizerOf(call, 'view'),
  });
  return judgedUntil(call, caller, guild);
}
