import { ProblemError } from '@guild-settings/contract';
import { BrokenCircuitError, ConstantBackoff, handleWhen, retry } from 'cockatiel';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { createCircuit, type DiscordObserver, OPEN_MS } from '../auth/circuit.ts';
import { DiscordUnavailableError, TokenRejectedError } from '../auth/discord-errors.ts';
import type { LookupQueue } from '../auth/lookup-queue.ts';

/** Time for which a token that Discord rejected is not sent again. */
const REJECTED_MS = 60_000;

/**
 * Look-ups in ten minutes that Discord may refuse (401, 403, 429) before no more are made. Each sends up to four requests.
 * Discord bans an IP address after 10,000 refusals, of which the token checks use up to 8,000.
 */
const MAX_REFUSALS = 400;
const WINDOW_SECONDS = 600;

interface BotRequestsOptions {
  readonly queue: LookupQueue;
  readonly monotonicMs: () => number;
  readonly observer: DiscordObserver<DiscordUnavailableError | TokenRejectedError>;
}

/** Runs requests with the bot's token within the limits that Discord sets. */
export interface BotRequests {
  /**
   * Runs work that sends requests, with a deadline. A network fault is retried once, a short rate limit is waited out.
   * @throws ProblemError bot-token-missing when Discord rejects the token
   * @throws DiscordUnavailableError
   */
  run<T>(clientIp: string, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
}

/** Creates the limits of the bot's requests. They are not those of the token checks, which must work without the bot. */
export function createBotRequests({ queue, monotonicMs, observer }: BotRequestsOptions): BotRequests {
  const breaker = createCircuit(monotonicMs, observer);
  const retryOnce = retry(handleWhen(isNetworkFault), { maxAttempts: 1, backoff: new ConstantBackoff(20) });
  const refusals = new RateLimiterMemory({ points: MAX_REFUSALS, duration: WINDOW_SECONDS });
  let rejectedUntilMs = Number.NEGATIVE_INFINITY;
  let pausedUntilMs = Number.NEGATIVE_INFINITY;

  async function requireAllowed(): Promise<void> {
    const nowMs = monotonicMs();
    if (nowMs < rejectedUntilMs) throw tokenRejected();
    if (nowMs < pausedUntilMs)
      throw new DiscordUnavailableError('rate-limited', { retryAfterMs: pausedUntilMs - nowMs });
    const refused = await refusals.get('');
    if (refused === null || refused.remainingPoints > 0) return;
    // The limiter uses the wall clock. After the clock was set, the time is still at most a window.
    const retryAfterMs = Math.min(refused.msBeforeNext, WINDOW_SECONDS * 1_000);
    throw new DiscordUnavailableError('overloaded', { retryAfterMs });
  }

  async function count(error: unknown): Promise<void> {
    if (error instanceof TokenRejectedError) {
      rejectedUntilMs = monotonicMs() + REJECTED_MS;
    } else if (error instanceof DiscordUnavailableError) {
      if (error.isGlobal) pausedUntilMs = Math.max(pausedUntilMs, monotonicMs() + error.retryAfterMs);
      if (error.fault !== 'refused' && error.fault !== 'rate-limited') return;
    } else return;
    await refusals.penalty('');
  }

  return {
    async run(clientIp, work) {
      try {
        return await queue.run(clientIp, async (signal) => {
          await requireAllowed();
          try {
            return await breaker.execute(() => retryOnce.execute(() => work(signal), signal));
          } catch (error) {
            await count(error);
            throw error;
          }
        });
      } catch (error) {
        if (error instanceof TokenRejectedError) {
          observer.onFailure(error);
          throw tokenRejected(error);
        }
        if (error instanceof BrokenCircuitError) {
          throw new DiscordUnavailableError('circuit-open', { retryAfterMs: OPEN_MS });
        }
        if (error instanceof DiscordUnavailableError && error.fault !== 'refused') observer.onFailure(error);
        throw error;
      }
    },
  };
}

function tokenRejected(cause?: unknown): ProblemError {
  return new ProblemError('bot-token-missing', {
    detail: "Discord rejects the bot's token of this service. Its operator sets DISCORD_BOT_TOKEN to the present one.",
    cause,
  });
}

function isNetworkFault(error: Error): boolean {
  return error instanceof DiscordUnavailableError && error.fault === 'network';
}
