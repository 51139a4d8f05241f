import { ProblemError } from '@guild-settings/contract';
import { bearerToken } from '../auth/bearer-token.ts';
import { authorizeGuild, type ManagedGuild } from '../auth/managed-guild.ts';
import { type WritePermission, WritePermissionExpiredError } from '../auth/write-permission.ts';
import { actingPrincipal, WRITE_GRACE_MS } from './authorize.ts';
import type { Context } from './call.ts';

/** Judgements of one request: a write that waits for others may outlast the first ones. */
const MAX_JUDGEMENTS = 4;

/**
 * Writes by a permission that holds at the moment of the write. It is judged again when the check of the token is past its
 * time when the write's turn comes, or when the body took longer than a second.
 * @param write throws WritePermissionExpiredError, having written nothing, when the permission's time is over
 * @throws ProblemError not-guild-manager, invalid-token, discord-unavailable, and what `write` throws
 */
export async function writeAuthorized<T>(
  ctx: Context,
  entered: WritePermission & { readonly bodyUntilMs: number },
  write: (permission: WritePermission) => Promise<T>,
): Promise<T> {
  const isInTime = ctx.services.monotonicMs() < entered.bodyUntilMs;
  let permission: WritePermission = isInTime ? entered : await judgeAgain(ctx, entered.guild);
  for (let judgements = 1; judgements <= MAX_JUDGEMENTS; judgements += 1) {
    try {
      return await write(permission);
    } catch (error) {
      if (!(error instanceof WritePermissionExpiredError)) throw error;
    }
    permission = await judgeAgain(ctx, permission.guild);
  }
  throw new ProblemError('store-unavailable', { retryAfter: 1 });
}

async function judgeAgain(ctx: Context, { id }: ManagedGuild): Promise<WritePermission> {
  const { services, request } = ctx;
  const token = bearerToken(request.authorization);
  const checked = await services.authenticator.authenticate(token, request.address, { allowStale: false });
  return {
    guild: authorizeGuild(actingPrincipal(ctx, checked.principal), id),
    // A check that was made just now has to be of use, however short checks hold.
    mayWriteUntilMs: Math.max(checked.freshUntilMs, services.monotonicMs() + WRITE_GRACE_MS),
  };
}

/**
 * Authenticates the caller of a write again when the check of the token is past its time, or the body took longer than a
 * second: the token may have been revoked since.
 * @throws ProblemError invalid-token, discord-unavailable
 */
export async function requireFreshCaller(ctx: Context & { readonly bodyUntilMs: number }): Promise<void> {
  const { services, request } = ctx;
  if (services.monotonicMs() < ctx.bodyUntilMs) return;
  await services.authenticator.authenticate(bearerToken(request.authorization), request.address, { allowStale: false });
}
