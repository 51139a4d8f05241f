import { ProblemError } from '@guild-settings/contract';
import { LRUCache } from 'lru-cache';
import type { Metrics } from '../ops/metrics.ts';
import { type Authenticator, type CheckOutcome, cacheSizeOf, MAX_CACHE_SIZE, tokenHash } from './authenticator.ts';
import type { CheckQuestion } from './shared-checks.ts';
import type { AuthenticatedToken } from './token-check.ts';

interface SharedAuthenticatorOptions {
  /** Asks the first process. */
  readonly ask: (question: CheckQuestion) => Promise<AuthenticatedToken | undefined>;
  readonly monotonicMs: () => number;
  readonly metrics: Metrics;
  /** Called with each token that was checked by Discord. */
  readonly onToken: (token: string) => void;
}

/**
 * Authenticates in a worker. It keeps the checks that the first process has made, as long as they are fresh, and replaces each by
 * the next one, for whichever process that was made. Everything else is up to the first process.
 */
export class SharedAuthenticator implements Authenticator {
  readonly #options: SharedAuthenticatorOptions;
  readonly #accepted = new LRUCache<string, AuthenticatedToken>({
    maxSize: MAX_CACHE_SIZE,
    sizeCalculation: cacheSizeOf,
  });

  /** Tokens that the first process is checking for this one, with the newest outcome that it has sent in the meantime. */
  readonly #asked = new Map<string, { questions: number; newest?: CheckOutcome }>();

  constructor(options: SharedAuthenticatorOptions) {
    this.#options = options;
  }

  /** Receives the outcome of a check of the first process. Tokens that this process has not seen are not kept. */
  readonly receive = (outcome: CheckOutcome): void => {
    const asked = this.#asked.get(outcome.tokenHash);
    if (asked && outcome.checkedAtMs > (asked.newest?.checkedAtMs ?? 0)) asked.newest = outcome;
    if (this.#accepted.has(outcome.tokenHash)) this.#keep(outcome);
  };

  async authenticate(
    token: string,
    clientIp: () => string,
    { allowStale }: { readonly allowStale: boolean },
  ): Promise<AuthenticatedToken> {
    const known = this.recognize(token);
    if (known !== undefined) {
      this.#options.metrics.authCache('hit');
      return known;
    }
    const found = await this.#ask({ of: 'authenticate', token, clientIp: clientIp(), allowStale });
    if (found === undefined) throw new Error('Expected a check of the token, or a problem');
    return found;
  }

  async checkAgain(
    token: string,
    clientIp: () => string,
    { checkedAtMs }: Pick<AuthenticatedToken, 'checkedAtMs'>,
  ): Promise<AuthenticatedToken | undefined> {
    return this.#ask({ of: 'checkAgain', token, clientIp: clientIp(), checkedAtMs });
  }

  recognize(token: string): AuthenticatedToken | undefined {
    const known = this.#accepted.get(tokenHash(token));
    return known && this.#options.monotonicMs() < known.freshUntilMs ? known : undefined;
  }

  async #ask(question: CheckQuestion): Promise<AuthenticatedToken | undefined> {
    const { ask, onToken } = this.#options;
    const key = tokenHash(question.token);
    const asked = this.#asked.get(key) ?? { questions: 0 };
    this.#asked.set(key, asked);
    asked.questions += 1;
    try {
      const found = await ask(question);
      onToken(question.token);
      if (found !== undefined) this.#keep({ tokenHash: key, checkedAtMs: found.checkedAtMs, accepted: found });
      // It may have arrived before the answer, which was older.
      if (asked.newest !== undefined) this.#keep(asked.newest);
      return found;
    } catch (error) {
      if (error instanceof ProblemError && error.slug === 'invalid-token') onToken(question.token);
      throw error;
    } finally {
      asked.questions -= 1;
      if (asked.questions === 0) this.#asked.delete(key);
    }
  }

  /** Keeps an outcome unless a newer one is known. */
  #keep({ tokenHash: key, checkedAtMs, accepted }: CheckOutcome): void {
    if (checkedAtMs < (this.#accepted.get(key)?.checkedAtMs ?? 0)) return;
    if (accepted === undefined) this.#accepted.delete(key);
    else this.#accepted.set(key, accepted);
  }
}
