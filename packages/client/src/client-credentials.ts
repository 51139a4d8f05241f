import { abortable } from './abortable.ts';
import { type GrantRequest, requestGrant } from './client-credentials-grant.ts';
import { deadlineFetch, type Send } from './deadline-fetch.ts';
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
  /** Milliseconds since 1970; the system's clock unless given. */
  readonly clock?: () => number;
  /** Milliseconds that Discord has for each answer; 5,000 unless given. */
  readonly timeout?: number;
  readonly fetch?: typeof globalThis.fetch;
}

/** The last tenth of a token's life is for renewing it: with Discord's week, that outlasts an outage of 16 hours. */
const RENEWAL_SHARE = 0.1;

/** After a renewal that failed, while the old token is still good: milliseconds until the next. */
const RENEWAL_PAUSE = 10_000;

/** Refused tokens are replaced at most this often, in milliseconds: another one may fare no better. */
const REPLACEMENT_PAUSE = 10_000;

/**
 * Tokens of the application itself, by the client-credentials grant. However many ask, one request is under way; a
 * token is renewed before it expires, and served for as long as it is good while Discord cannot renew it.
 *
 * `get` throws TokenError when there is no token.
 */
export function clientCredentials(options: ClientCredentialsOptions): TokenSource {
  const { clock = Date.now, timeout = 5_000, fetch = globalThis.fetch, ...rest } = options;
  const request: GrantRequest = { ...rest, scopes: rest.scopes ?? ['applications.commands.update'] };
  return new ClientCredentials(request, clock, deadlineFetch({ fetch, timeout }));
}

interface HeldToken {
  readonly token: string;
  readonly renewAt: number;
  readonly expiresAt: number;
}

class ClientCredentials implements TokenSource {
  readonly #request: GrantRequest;
  readonly #clock: () => number;
  readonly #send: Send;
  #held: HeldToken | undefined;
  #underWay: Promise<string> | undefined;
  #renewalPausedUntil = Number.NEGATIVE_INFINITY;
  #replacedAt = Number.NEGATIVE_INFINITY;
  /** Discord has asked us to wait. */
  #limited: { readonly error: TokenError; readonly until: number } | undefined;

  constructor(request: GrantRequest, clock: () => number, send: Send) {
    this.#request = request;
    this.#clock = clock;
    this.#send = send;
  }

  async get(signal?: AbortSignal): Promise<string> {
    const now = this.#clock();
    const held = this.#held;
    if (held && now < held.expiresAt) {
      // Nobody waits for it, and its failure is no trouble yet.
      if (now >= held.renewAt && now >= this.#renewalPausedUntil) this.#renew().catch(() => {});
      return held.token;
    }
    if (this.#limited && now < this.#limited.until) throw this.#limited.error;
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
      return token;
    } catch (error) {
      const now = this.#clock();
      const wait = error instanceof TokenError ? (error.retryAfter ?? 0) * 1_000 : 0;
      if (error instanceof TokenError && wait > 0) this.#limited = { error, until: now + wait };
      this.#renewalPausedUntil = now + Math.max(wait, RENEWAL_PAUSE);
      throw error;
    }
  }
}
