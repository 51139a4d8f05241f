import { abortable } from './abortable.ts';
import { type GrantRequest, requestGrant } from './client-credentials-grant.ts';
import { deadlineFetch, type Send } from './deadline-fetch.ts';
import type { GrantOutcome } from './grant-outcome.ts';
import { GrantPause } from './grant-pause.ts';
import { TokenError } from './token-error.ts';
import type { TokenSource } from './token-source.ts';

/** Whose tokens, and where from. */
export interface ClientCredentialsOptions {
  /** Discord's REST API, such as `https://discord.com/api/v10`. */
  readonly discordApiUrl: string;
  readonly applicationId: string;
  readonly clientSecret: string;
  /** `applications.commands.update` unless given: the scope by which the service knows its application. */
  readonly scopes?: readonly string[];
  /** Milliseconds that only grow, from any origin; `performance.now` unless given. The system's clock can be set. */
  readonly clock?: () => number;
  /** Milliseconds that Discord has for each answer; 5,000 unless given. */
  readonly timeout?: number;
  readonly fetch?: typeof globalThis.fetch;
  /** Called after each request for a token. */
  readonly onGrant?: (outcome: GrantOutcome) => void;
}

/** The last tenth of a token's life is for renewing it: with Discord's week, that outlasts an outage of 16 hours. */
const RENEWAL_SHARE = 0.1;

/** After a renewal that failed, while the old token is still good: milliseconds until the next, or the pause if longer. */
const RENEWAL_PAUSE = 10_000;

/** Refused tokens are replaced at most this often, in milliseconds: another one may fare no better. */
const REPLACEMENT_PAUSE = 10_000;

/**
 * Tokens of the application itself, by the client-credentials grant. However many ask, one request is under way; a
 * token is renewed before it expires, and served for as long as it is good while Discord cannot renew it. After a failure
 * requests pause for longer and longer: up to 5 minutes when Discord refuses the credentials, up to 10 seconds otherwise.
 *
 * `get` throws TokenError when there is no token, and during a pause at once.
 */
export function clientCredentials(options: ClientCredentialsOptions): TokenSource {
  const { clock = () => performance.now(), timeout = 5_000, fetch = globalThis.fetch, onGrant, ...rest } = options;
  const request: GrantRequest = { ...rest, scopes: rest.scopes ?? ['applications.commands.update'] };
  return new ClientCredentials({ request, clock, send: deadlineFetch({ fetch, timeout }), onGrant });
}

interface HeldToken {
  readonly token: string;
  readonly renewAt: number;
  readonly expiresAt: number;
}

interface ClientCredentialsParts {
  readonly request: GrantRequest;
  readonly clock: () => number;
  readonly send: Send;
  readonly onGrant: ClientCredentialsOptions['onGrant'];
}

class ClientCredentials implements TokenSource {
  readonly #request: GrantRequest;
  readonly #clock: () => number;
  readonly #send: Send;
  #held: HeldToken | undefined;
  #underWay: Promise<string> | undefined;
  #renewalPausedUntil = Number.NEGATIVE_INFINITY;
  #replacedAt = Number.NEGATIVE_INFINITY;
  readonly #onGrant: ClientCredentialsOptions['onGrant'];
  readonly #pause: GrantPause;

  constructor({ request, clock, send, onGrant }: ClientCredentialsParts) {
    this.#request = request;
    this.#clock = clock;
    this.#send = send;
    this.#onGrant = onGrant;
    this.#pause = new GrantPause(clock);
  }

  async get(signal?: AbortSignal): Promise<string> {
    const now = this.#clock();
    const held = this.#held;
    if (held && now < held.expiresAt) {
      // Nobody waits for it, and its failure is no trouble yet.
      if (now >= held.renewAt && now >= this.#renewalPausedUntil) this.#renew().catch(() => {});
      return held.token;
    }
    const { failure } = this.#pause;
    if (failure !== undefined && this.#underWay === undefined) throw failure;
    return abortable(this.#renew(), signal);
  }

  invalidate(token: string): void {
    const now = this.#clock();
    if (this.#held?.token !== token || now < this.#replacedAt + REPLACEMENT_PAUSE) return;
    this.#held = undefined;
    this.#replacedAt = now;
  }

  #renew(): Promise<string> {
    this.#underWay ??= this.#fetchToken().finally(() => {
      this.#underWay = undefined;
    });
    return this.#underWay;
  }

  async #fetchToken(): Promise<string> {
    const asked = this.#clock();
    try {
      const { token, expiresIn } = await requestGrant(this.#send, this.#request);
      const life = expiresIn * 1_000;
      this.#held = { token, renewAt: asked + life * (1 - RENEWAL_SHARE), expiresAt: asked + life };
      this.#pause.end();
      this.#onGrant?.({ outcome: 'granted' });
      return token;
    } catch (error) {
      if (!(error instanceof TokenError)) throw error;
      const retryInMs = this.#pause.start(error);
      this.#renewalPausedUntil = this.#clock() + Math.max(retryInMs, RENEWAL_PAUSE);
      this.#onGrant?.({ outcome: error.fault, error, retryInMs });
      throw this.#pause.failure ?? error;
    }
  }
}
