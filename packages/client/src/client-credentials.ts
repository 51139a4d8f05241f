import { type GrantRequest, requestGrant } from './client-credentials-grant.ts';
import type { Fetch } from './fetch.ts';
import { GrantPause } from './grant-pause.ts';
import { abortable, deadlineFetch, type Send } from './service-fetch.ts';
import { TokenError, type TokenFault } from './token-error.ts';
import type { TokenSource } from './token-source.ts';

/** The application whose tokens are requested, and how. */
export interface ClientCredentialsOptions {
  /** Discord's REST API, such as `https://discord.com/api/v10`. */
  readonly discordApiUrl: string;
  readonly applicationId: string;
  readonly clientSecret: string;
  /** `applications.commands.update` unless given: the scope by which the service recognises its application. */
  readonly scopes?: readonly string[];
  /** Returns monotonic time in milliseconds; `performance.now` unless given. The system's clock can be set. */
  readonly clock?: () => number;
  /** The timeout for each response of Discord; 5,000 unless given. */
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

/** The last tenth of a token's lifetime is for renewing it: of Discord's week, that outlasts an outage of 16 hours. */
const RENEWAL_SHARE = 0.1;

/** The least time between a failed renewal and the next, while the old token is valid. */
const RENEWAL_PAUSE_MS = 10_000;

/** The least time between two replacements of rejected tokens, because the next one may be rejected, too. */
const REPLACEMENT_PAUSE_MS = 10_000;

/**
 * Makes a source of the application's own tokens, by the client-credentials grant. Concurrent calls of `get` share a
 * request. A token is renewed before it expires, and returned while it is valid when Discord cannot renew it. After a
 * failure there is a pause, which grows: up to 5 minutes when Discord rejects the credentials, up to 10 seconds otherwise.
 *
 * `get` throws TokenError when there is no token, during a pause without a request.
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
