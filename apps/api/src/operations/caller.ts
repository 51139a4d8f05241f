import { ProblemError } from '@guild-settings/contract';
import { type ApplicationPrincipal, type Principal, personOf } from '../auth/principal.ts';
import type { AuthenticatedToken, TokenFacts } from '../auth/token-check.ts';
import type { LogReader } from '../domain/change-log.ts';
import type { Call, Exchange, RequestInfo } from './call.ts';

export interface Caller {
  readonly principal: Principal;
  readonly facts: TokenFacts;
  readonly checkedAtMs: number;
  readonly isCheckedAgain: boolean;
  readonly tokenExpiresAtMs: number;
  /** A write is authorized again if its body arrived later. */
  readonly bodyUntilMs: number;
  /** A write is authorized again if it commits later. */
  readonly mayWriteUntilMs: number;
}

/** Minimum time for which a write may rely on a check of its token, in milliseconds. */
export const WRITE_GRACE_MS = 1_000;

/**
 * Authenticates the caller of a request and counts the call against its rate limit.
 * @param options.isCounted true: the call counts; true unless given
 * @param options.allowStale true: accepts an expired check while Discord is unavailable; for reads only
 * @throws ProblemError not-authenticated, invalid-token, insufficient-scope, rate-limited, discord-unavailable
 */
export async function authenticate(
  call: Exchange,
  options: { readonly allowStale: boolean; readonly isCounted?: boolean },
): Promise<Caller> {
  const { services, response, token } = call;
  token.checked ??= authenticateToken(call, options);
  const checked = await token.checked;
  const caller = callerOf(call, checked);
  token.principal = caller.principal;
  if (options.isCounted !== false) {
    services.principalLimit.spend(caller.principal, (state) => {
      response.rateLimit = state;
    });
  }
  return caller;
}

export function callerOf(call: Call, checked: AuthenticatedToken): Caller {
  const principal = actingPrincipal(call, checked.principal);
  const { facts, checkedAtMs, expiresAtMs, freshUntilMs } = checked;
  return {
    principal,
    facts,
    checkedAtMs,
    isCheckedAgain: false,
    tokenExpiresAtMs: expiresAtMs,
    bodyUntilMs: Math.min(freshUntilMs, call.services.monotonicMs() + WRITE_GRACE_MS),
    mayWriteUntilMs: freshUntilMs,
  };
}

/** Adds the user that the application acts for. Users act for themselves, so the header is ignored. */
function actingPrincipal({ request }: Call, found: Principal): Principal {
  const onBehalfOf = found.kind === 'application' ? request.onBehalfOf() : undefined;
  return onBehalfOf === undefined ? found : { ...(found as ApplicationPrincipal), onBehalfOf };
}

/**
 * Returns the caller by a newer check of the token; undefined: the last check is less than five seconds old, or Discord
 * is unavailable.
 * @throws ProblemError invalid-token when the token was revoked since
 */
export async function checkedAgain(call: Call, caller: Caller): Promise<Caller | undefined> {
  const { services, request, token } = call;
  const checked = await renewing(request, () =>
    services.authenticator.checkAgain(request.accessToken(), () => request.clientIp(), caller),
  );
  if (checked === undefined) return undefined;
  token.checked = Promise.resolve(checked);
  return { ...callerOf(call, checked), isCheckedAgain: true };
}

/** Authenticates the token of a request, or of its session. @throws the errors of {@link authenticate} */
export function authenticateToken(
  { services, request }: Call,
  options: { readonly allowStale: boolean },
): Promise<AuthenticatedToken> {
  const { authenticator } = services;
  return renewing(request, () => authenticator.authenticate(request.accessToken(), () => request.clientIp(), options));
}

/** Runs a check, and repeats it with a renewed token if Discord has rejected that of a session. */
async function renewing<T>(request: RequestInfo, check: () => Promise<T>): Promise<T> {
  try {
    return await check();
  } catch (error) {
    const isRejected = error instanceof ProblemError && error.slug === 'invalid-token';
    if (!isRejected || !(await request.renewToken())) throw error;
    return check();
  }
}

/** Returns the reader of the change log for a call: the user who made the request, or for whom the application acts. */
export function logReaderOf({ request }: Call, { principal }: Caller): LogReader {
  return { userId: personOf(principal), isGone: () => request.isGone() };
}
