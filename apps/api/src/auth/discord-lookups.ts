import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import {
  BrokenCircuitError,
  BulkheadRejectedError,
  bulkhead,
  type CircuitBreakerPolicy,
  CircuitState,
  ConsecutiveBreaker,
  ConstantBackoff,
  circuitBreaker,
  type FailureReason,
  handleWhen,
  type IBackoff,
  type IBackoffFactory,
  retry,
  TaskCancelledError,
  TimeoutStrategy,
  timeout,
} from 'cockatiel';
import { DiscordUnavailableError } from './discord-api.ts';
import { InProgress } from './limits.ts';

interface LookupLimits {
  readonly running: number;
  readonly waiting: number;
  readonly perCaller: number;
}

const TOKEN_CHECKS: LookupLimits = { running: 32, waiting: 1_000, perCaller: 256 };

const LOOKUP_TIMEOUT_MS = 7_000;

const MAX_RATE_LIMIT_WAITS = 3;

/** Margin added to a wait, because clocks and timers differ by a few milliseconds. */
const WAIT_MARGIN_MS = 50;

/** Time that must be left for the request after a wait. */
const MIN_REQUEST_MS = 500;

/** Queue of look-ups at Discord. Few run at a time, each with a timeout. */
export interface LookupQueue {
  /**
   * Runs a look-up. If Discord limits its rate (429), it is repeated after the time that Discord states, if that is
   * within its timeout. Meanwhile its slot is free for other look-ups.
   * @param caller the caller whose look-ups are limited; undefined: only the total is limited
   * @throws DiscordUnavailableError when the queue is full, the look-up timed out, or the queue was closed
   */
  run<T>(caller: string | undefined, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  close(): void;
}

export function createLookupQueue({ running, waiting, perCaller }: LookupLimits = TOKEN_CHECKS): LookupQueue {
  const deadline = timeout(LOOKUP_TIMEOUT_MS, TimeoutStrategy.Aggressive);
  const slots = bulkhead(running, waiting);
  const closing = new AbortController();
  // Each look-up adds a listener.
  setMaxListeners(running + waiting, closing.signal);
  const lookups = new InProgress({
    perPerson: perCaller,
    ofAll: running + waiting,
    refusal: () => new DiscordUnavailableError('overloaded'),
  });

  /** Runs a look-up in a slot, which is released while the look-up waits for a rate limit. */
  async function attempt<T>(work: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
    const endMs = performance.now() + LOOKUP_TIMEOUT_MS;
    for (let waits = 0; ; waits += 1) {
      try {
        // The signal is not passed to the bulkhead: it would leave the slot of an aborted look-up empty.
        return await slots.execute(() => {
          if (signal.aborted) throw new TaskCancelledError();
          return work(signal);
        });
      } catch (error) {
        if (!(error instanceof DiscordUnavailableError) || error.fault !== 'rate-limited') throw error;
        const waitMs = error.retryAfterMs + WAIT_MARGIN_MS;
        const isInTime = performance.now() + waitMs + MIN_REQUEST_MS <= endMs;
        if (!isInTime || waits === MAX_RATE_LIMIT_WAITS) throw error;
        await delay(waitMs, undefined, { signal }).catch(() => {
          throw error;
        });
      }
    }
  }

  return {
    async run(caller, work) {
      const end = lookups.begin(caller);
      try {
        return await deadline.execute(({ signal }) => attempt(work, signal), closing.signal);
      } catch (error) {
        if (error instanceof BulkheadRejectedError) throw new DiscordUnavailableError('overloaded');
        if (error instanceof TaskCancelledError) throw new DiscordUnavailableError('timeout');
        throw error;
      } finally {
        end();
      }
    },
    close: () => closing.abort(),
  };
}

/** Consecutive failures that open the circuit, and the time for which it stays open before one request is let through. */
const FAILURES_TO_OPEN = 5;
const OPEN_MS = 2_000;

/** States of the circuit breaker. `half-open`: one request is let through. */
export const CIRCUIT_STATES = ['closed', 'open', 'half-open'] as const;
export type CircuitStateName = (typeof CIRCUIT_STATES)[number];

const STATE_NAMES: Readonly<Record<CircuitState, CircuitStateName>> = {
  [CircuitState.Closed]: 'closed',
  [CircuitState.HalfOpen]: 'half-open',
  [CircuitState.Open]: 'open',
  // Not used: the service never isolates the circuit.
  [CircuitState.Isolated]: 'open',
};

export interface DiscordObserver<Failure extends Error = DiscordUnavailableError> {
  readonly onFailure: (error: Failure) => void;
  /** Called when the circuit opens, with the last error. Not called again until it was closed. */
  readonly onOpen: (reason: unknown) => void;
  readonly onClose: () => void;
}

/** Sends requests to Discord for one purpose, while Discord responds and has not required a pause. */
export class DiscordCircuit {
  readonly #breaker: CircuitBreakerPolicy;
  /** A kept-alive connection may have been closed in the meantime: one retry, for this fault only. */
  readonly #retryOnce = retry(handleWhen(isNetworkFault), { maxAttempts: 1, backoff: new ConstantBackoff(20) });
  readonly #monotonicMs: () => number;
  #pausedUntilMs = Number.NEGATIVE_INFINITY;

  constructor(monotonicMs: () => number, { onOpen, onClose }: Pick<DiscordObserver, 'onOpen' | 'onClose'>) {
    this.#monotonicMs = monotonicMs;
    this.#breaker = circuitBreaker(handleWhen(isOutage), {
      halfOpenAfter: monotonicWait(OPEN_MS, monotonicMs),
      breaker: new ConsecutiveBreaker(FAILURES_TO_OPEN),
    });
    let isOpen = false;
    // The breaker reports this each time the request that is let through in the half-open state fails.
    this.#breaker.onBreak((reason) => {
      if (!isOpen) onOpen(errorOf(reason));
      isOpen = true;
    });
    this.#breaker.onReset(() => {
      if (isOpen) onClose();
      isOpen = false;
    });
  }

  get state(): CircuitStateName {
    return STATE_NAMES[this.#breaker.state];
  }

  /** @throws DiscordUnavailableError during a pause that Discord has required of all requests */
  requirePauseOver(): void {
    const pauseMs = this.#pausedUntilMs - this.#monotonicMs();
    if (pauseMs > 0) throw new DiscordUnavailableError('rate-limited', { retryAfterMs: pauseMs });
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await this.#breaker.execute(work);
    } catch (error) {
      if (error instanceof BrokenCircuitError) {
        throw new DiscordUnavailableError('circuit-open', { retryAfterMs: OPEN_MS });
      }
      if (error instanceof DiscordUnavailableError && error.isGlobal) {
        this.#pausedUntilMs = Math.max(this.#pausedUntilMs, this.#monotonicMs() + error.retryAfterMs);
      }
      throw error;
    }
  }

  send<T>(request: () => Promise<T>, signal: AbortSignal): Promise<T> {
    return this.#retryOnce.execute(request, signal);
  }
}

/** Returns true if a failure is an outage. A 429 limits this service, and a refusal concerns one token. */
function isOutage(error: Error): boolean {
  return error instanceof DiscordUnavailableError && error.fault !== 'rate-limited' && error.fault !== 'refused';
}

function errorOf(reason: FailureReason<unknown> | { readonly isolated: true }): unknown {
  return 'error' in reason ? reason.error : undefined;
}

function isNetworkFault(error: Error): boolean {
  return error instanceof DiscordUnavailableError && error.fault === 'network';
}

/**
 * Returns the time for which a circuit breaker stays open, by the monotonic clock. cockatiel compares `duration` with a
 * difference of wall-clock times, which is wrong after the clock was set. The duration is therefore infinite until the
 * time is over, and negative afterwards.
 */
function monotonicWait(durationMs: number, monotonicMs: () => number): IBackoffFactory<unknown> {
  const next = (): IBackoff<unknown> => {
    const endMs = monotonicMs() + durationMs;
    return {
      get duration() {
        return monotonicMs() < endMs ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
      },
      next,
    };
  };
  return { next };
}
