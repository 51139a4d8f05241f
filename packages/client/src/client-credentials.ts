import { type Backoff, backoffMs } from '@guild-settings/runtime/backoff';
import { z } from 'zod';
import { type Fetch, UnexpectedResponseError } from './fetch.ts';
import { abortable, type BufferedResponse, deadlineFetch, type Send } from './service-fetch.ts';
import { TokenError, type TokenFault, type TokenSource } from './token-source.ts';

/** The application whose tokens are requested, and options of the requests. */
export interface ClientCredentialsOptions {
  /** Discord's REST API, such as `https://discord.com/api/v10`. */
  readonly discordApiUrl: string;
  readonly applicationId: string;
  readonly clientSecret: string;
  /** `applications.commands.update` unless given: the scope by which the service recognises its application. */
  readonly scopes?: readonly string[];
  /** Returns monotonic time in milliseconds; `performance.now` unless given. The system's clock can be set. */
  readonly clock?: () => number;
  /** The timeout for each response of Discord in milliseconds; 5,000 unless given. */
  readonly timeoutMs?: number;
  readonly fetch?: Fetch;
  /** Called after each request for a token. */
  readonly onGrant?: (outcome: GrantOutcome) => void;
}

export type GrantOutcome =
  | { readonly outcome: 'granted' }
  | {
      readonly outcome: TokenFault;
      readonly error: TokenError;
      /** Time until the next request may be sent. Callers receive the error meanwhile. */
      readonly retryInMs: number;
    };

/**
 * The last part of a token's lifetime, in which it is renewed: with Discord's week, it covers an outage of 16 hours.
 */
const RENEWAL_SHARE = 0.1;

/** Minimum time between a failed renewal and the next, while the old token is valid. */
const RENEWAL_PAUSE_MS = 10_000;

/** Minimum time between two replacements of rejected tokens, because the next one may also be rejected. */
const REPLACEMENT_PAUSE_MS = 10_000;

/**
 * Creates a source of the application's own tokens, by the client-credentials grant. Concurrent calls of `get` share a
 * request. A token is renewed before it expires; if Discord cannot renew it, it is returned while it is valid. After a
 * failure there is a growing pause: up to 5 minutes when Discord rejects the credentials, up to 10 seconds otherwise.
 *
 * `get` throws TokenError without a token; during a pause, without a request.
 */
export function clientCredentials(options: ClientCredentialsOptions): TokenSource {
  return new ClientCredentials(options);
}

interface HeldToken {
  readonly token: string;
  readonly renewAtMs: number;
  readonly expiresAtMs: number;
}

class ClientCredentials implements TokenSource {
  readonly #request: GrantRequest;
  readonly #clock: () => number;
  readonly #send: Send;
  readonly #onGrant: ClientCredentialsOptions['onGrant'];
  readonly #pause: GrantPause;
  #held: HeldToken | undefined;
  #pending: Promise<string> | undefined;
  #renewalPausedUntilMs = Number.NEGATIVE_INFINITY;
  #replacedAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: ClientCredentialsOptions) {
    const {
      clock = () => performance.now(),
      timeoutMs = 5_000,
      fetch = globalThis.fetch,
      onGrant,
      ...request
    } = options;
    this.#request = { ...request, scopes: request.scopes ?? ['applications.commands.update'] };
    this.#clock = clock;
    this.#send = deadlineFetch({
      fetch,
      timeoutMs,
      address: { of: 'Discord', baseUrl: options.discordApiUrl.replace(/\/+$/, ''), variable: 'DISCORD_API_URL' },
    });
    this.#onGrant = onGrant;
    this.#pause = new GrantPause(clock);
  }

  async get(signal?: AbortSignal): Promise<string> {
    const now = this.#clock();
    const held = this.#held;
    if (held && now < held.expiresAtMs) {
      // In the background: the token is still valid, so a failure has no effect yet.
      if (now >= held.renewAtMs && now >= this.#renewalPausedUntilMs) this.#renew().catch(() => {});
      return held.token;
    }
    const { failure } = this.#pause;
    if (failure !== undefined && this.#pending === undefined) throw failure;
    return abortable(this.#renew(), signal);
  }

  invalidate(token: string): void {
    const now = this.#clock();
    if (this.#held?.token !== token || now < this.#replacedAtMs + REPLACEMENT_PAUSE_MS) return;
    this.#held = undefined;
    this.#replacedAtMs = now;
  }

  #renew(): Promise<string> {
    this.#pending ??= this.#fetchToken().finally(() => {
      this.#pending = undefined;
    });
    return this.#pending;
  }

  async #fetchToken(): Promise<string> {
    const requestedAtMs = this.#clock();
    try {
      const { token, expiresInSeconds } = await requestGrant(this.#send, this.#request);
      const lifetimeMs = expiresInSeconds * 1_000;
      this.#held = {
        token,
        renewAtMs: requestedAtMs + lifetimeMs * (1 - RENEWAL_SHARE),
        expiresAtMs: requestedAtMs + lifetimeMs,
      };
      this.#pause.end();
      this.#onGrant?.({ outcome: 'granted' });
      return token;
    } catch (error) {
      if (!(error instanceof TokenError)) throw error;
      const retryInMs = this.#pause.start(error);
      this.#renewalPausedUntilMs = this.#clock() + Math.max(retryInMs, RENEWAL_PAUSE_MS);
      this.#onGrant?.({ outcome: error.fault, error, retryInMs });
      throw this.#pause.failure ?? error;
    }
  }
}

export interface GrantRequest {
  readonly discordApiUrl: string;
  readonly applicationId: string;
  readonly clientSecret: string;
  readonly scopes: readonly string[];
}

export interface Grant {
  readonly token: string;
  readonly expiresInSeconds: number;
}

/**
 * Requests a token of the application from Discord.
 * @see https://docs.discord.com/developers/topics/oauth2#client-credentials-grant
 * @throws TokenError
 */
async function requestGrant(send: Send, request: GrantRequest): Promise<Grant> {
  const { discordApiUrl, applicationId, clientSecret, scopes } = request;
  const credentials = Buffer.from(`${applicationId}:${clientSecret}`).toString('base64');
  let response: BufferedResponse;
  try {
    response = await send(`${discordApiUrl.replace(/\/+$/, '')}/oauth2/token`, {
      method: 'POST',
      headers: new Headers({ authorization: `Basic ${credentials}`, accept: 'application/json' }),
      body: new URLSearchParams({ grant_type: 'client_credentials', scope: scopes.join(' ') }),
    });
  } catch (cause) {
    // A redirect would send the secret to another address.
    if (cause instanceof UnexpectedResponseError) throw new TokenError('malformed', cause.message, { cause });
    throw new TokenError('unavailable', 'The request for a token did not reach Discord', { cause });
  }
  if (!response.ok) throw await errorOf(response, applicationId);
  const { data } = GrantBody.safeParse(await response.json().catch(() => null));
  if (data === undefined) throw new TokenError('malformed', 'Expected a token from Discord, received another response');
  return { token: data.access_token, expiresInSeconds: data.expires_in };
}

/** A grant whose token consists of characters allowed in a header. */
const GrantBody = z.object({ access_token: z.string().regex(/^[\x21-\x7e]+$/), expires_in: z.number().positive() });

const ErrorBody = z.object({ error: z.string().regex(/^[a-z_]{1,40}$/) });

async function errorOf(response: BufferedResponse, applicationId: string): Promise<TokenError> {
  const { status, retryAfter } = response;
  if (status === 429 || status >= 500) {
    return new TokenError('unavailable', `Discord issued no token: status ${status}`, { status, retryAfter });
  }
  const reason = ErrorBody.safeParse(await response.json().catch(() => null)).data?.error;
  const hint = reason === 'invalid_client' ? ', whose id or client secret is wrong' : '';
  const why = reason ?? `status ${status}`;
  return new TokenError('refused', `Discord issued no token to application ${applicationId}${hint}: ${why}`, {
    status,
    reason,
  });
}

interface PauseGrowth extends Backoff {
  /** Failures after which the next request may follow at once. */
  readonly freeFailures: number;
}

/**
 * Credentials are rejected until a person corrects them, and rejected requests count towards Discord's ban of the IP
 * address, so these pauses grow to minutes. An outage ends without intervention.
 * @see https://docs.discord.com/developers/topics/rate-limits#invalid-request-limit-aka-cloudflare-bans
 */
const GROWTH: Readonly<Record<TokenFault, PauseGrowth>> = {
  refused: { freeFailures: 0, firstMs: 5_000, longestMs: 300_000 },
  malformed: { freeFailures: 2, firstMs: 500, longestMs: 10_000 },
  unavailable: { freeFailures: 2, firstMs: 500, longestMs: 10_000 },
};

const JITTER = 0.2;

/** The pause after failed requests for a token. While it lasts, callers receive the last failure without a request. */
class GrantPause {
  readonly #clock: () => number;
  #failures = 0;
  #lastFault: TokenFault | undefined;
  #last: { readonly error: TokenError; readonly until: number } | undefined;

  constructor(clock: () => number) {
    this.#clock = clock;
  }

  /** The error to throw instead of sending a request, with the remaining seconds; undefined: no pause. */
  get failure(): TokenError | undefined {
    if (this.#last === undefined) return undefined;
    const { error, until } = this.#last;
    const leftMs = until - this.#clock();
    if (leftMs <= 0) return undefined;
    const { fault, message, status, reason } = error;
    return new TokenError(fault, message, { status, reason, retryAfter: leftMs / 1_000, cause: error.cause });
  }

  /** Starts a pause, which Discord's `Retry-After` may prolong. Returns its length in milliseconds. */
  start(error: TokenError): number {
    this.#failures = error.fault === this.#lastFault ? this.#failures + 1 : 1;
    this.#lastFault = error.fault;
    const requestedMs = (error.retryAfter ?? 0) * 1_000;
    const pauseMs = Math.max(requestedMs, pauseAfter(this.#failures, GROWTH[error.fault]));
    this.#last = { error, until: this.#clock() + pauseMs };
    return pauseMs;
  }

  end(): void {
    this.#failures = 0;
    this.#lastFault = undefined;
    this.#last = undefined;
  }
}

function pauseAfter(failures: number, growth: PauseGrowth): number {
  const doublings = failures - growth.freeFailures - 1;
  if (doublings < 0) return 0;
  return backoffMs(doublings, growth) * (1 - JITTER * Math.random());
}
