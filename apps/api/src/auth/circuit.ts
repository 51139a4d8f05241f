import {
  BrokenCircuitError,
  type CircuitBreakerPolicy,
  CircuitState,
  ConsecutiveBreaker,
  ConstantBackoff,
  circuitBreaker,
  type FailureReason,
  handleWhen,
  retry,
} from 'cockatiel';
import { DiscordUnavailableError } from './discord-errors.ts';
import { monotonicWait } from './monotonic-wait.ts';

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
  // The service does not isolate the circuit.
  [CircuitState.Isolated]: 'open',
};

export interface DiscordObserver<Failure extends Error = DiscordUnavailableError> {
  /** Called when a look-up failed because of Discord or of a limit. */
  readonly onFailure: (error: Failure) => void;
  /** Called when the circuit opens, with the last error. Not called again until it was closed. */
  readonly onOpen: (reason: unknown) => void;
  readonly onClose: () => void;
}

/** Sends requests to Discord for one purpose, while Discord responds and has not required a pause. */
export class DiscordCircuit {
  readonly #breaker: CircuitBreakerPolicy;
  /** A connection that was kept alive may have been closed in the meantime: one retry, for that fault alone. */
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
    // The breaker reports this whenever the one request that is let through fails.
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

/** Returns whether a failure is an outage: a 429 limits this service, and a refusal is about one token. */
function isOutage(error: Error): boolean {
  return error instanceof DiscordUnavailableError && error.fault !== 'rate-limited' && error.fault !== 'refused';
}

function errorOf(reason: FailureReason<unknown> | { readonly isolated: true }): unknown {
  return 'error' in reason ? reason.error : undefined;
}

function isNetworkFault(error: Error): boolean {
  return error instanceof DiscordUnavailableError && error.fault === 'network';
}
