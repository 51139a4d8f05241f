import { parseCursor } from '@guild-settings/contract';
import type { Operations } from '@guild-settings/contract/operations';
import type { GuildAccess } from '../auth/guild-access.ts';
import { GuildFollower } from '../guild-events/guild-follower.ts';
import { authorizeCaller, authorizerOf } from './access.ts';
import type { Call } from './call.ts';
import { authenticateToken, type Caller, callerOf } from './caller.ts';
import type { Handler } from './handler.ts';

export const followGuild: Handler<Operations['guilds']['follow']> = async ({ caller, guild, input, call }) => {
  const { feed, guilds, records, history, arrivals, streams } = call.services;
  const signal = call.signal ?? new AbortController().signal;
  const close = streams.begin(caller.principal.kind === 'user' ? caller.principal.userId : undefined);
  if (signal.aborted) close();
  else signal.addEventListener('abort', close, { once: true });
  const follower = new GuildFollower({
    guild,
    feed,
    guilds,
    records,
    history,
    arrivals,
    untilMs: judgedUntil(call, caller, guild),
    judge: () => judgeAgain(call, guild),
    signal,
  });
  const resumed = input.lastEventId === undefined ? undefined : parseCursor(input.lastEventId);
  return { body: follower.events(resumed) };
};

/**
 * Shortest interval of permission checks of one stream, in milliseconds, because during an outage of Discord checks are
 * old.
 */
const SHORTEST_MS = 5_000;

/** Returns until when a stream may rely on the check of its caller and their roles, in monotonic milliseconds. */
function judgedUntil(
  { services }: Call,
  { mayWriteUntilMs, tokenExpiresAtMs }: Caller,
  { untilMs = tokenExpiresAtMs }: GuildAccess,
): number {
  return Math.max(Math.min(mayWriteUntilMs, tokenExpiresAtMs, untilMs), services.monotonicMs() + SHORTEST_MS);
}

/**
 * Checks again if the caller of a stream may read a guild.
 * @returns until when the stream may rely on it, in monotonic milliseconds
 * @throws ProblemError not-guild-manager, invalid-token, insufficient-scope, discord-unavailable
 */
async function judgeAgain(call: Call, { id }: GuildAccess): Promise<number> {
  const checked = await authenticateToken(call, { allowStale: true });
  const { caller, guild } = await authorizeCaller(call, callerOf(call, checked), {
    id,
    authorize: authorizerOf(call, 'view'),
  });
  return judgedUntil(call, caller, guild);
}
