import {
  type CircuitBreakerPolicy,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  type FailureReason,
  handleWhen,
} from 'cockatiel';
import { DiscordUnavailableError } from './discord-errors.ts';
import { monotonicWait } from './monotonic-wait.ts';

/** Consecutive failures that open the circuit, and the time for which it stays open before one request is let through. */
const FAILURES_TO_OPEN = 5;
export const OPEN_MS = 2_000;

/** States of the circuit breaker. `half-open`: one request is let through. */
export const CIRCUIT_STATES = ['closed', 'open', 'half-open'] as const;
/** The name of a state of the circuit breaker. */
export type CircuitStateName = (typeof CIRCUIT_STATES)[number];

/** Observes whether Discord responds as it should. */
export interface DiscordObserver<Failure extends Error = DiscordUnavailableError> {
  /** Called when a look-up failed because of Discord or of a limit. */
  readonly onFailure: (error: Failure) => void;
  /** Called when the circuit opens, with the last error. Not called again until it was closed. */
  readonly onOpen: (reason: unknown) => void;
  /** Called when the circuit closes after it was open. */
  readonly onClose: () => void;
}

/** Creates the circuit breaker of requests to Discord. */
export function createCircuit(
  monotonicMs: () => number,
  { onOpen, onClose }: Pick<DiscordObserver, 'onOpen' | 'onClose'>,
): CircuitBreakerPolicy {
  const breaker = circuitBreaker(handleWhen(isOutage), {
    halfOpenAfter: monotonicWait(OPEN_MS, monotonicMs),
    breaker: new ConsecutiveBreaker(FAILURES_TO_OPEN),
  });
  let isOpen = false;
  // It breaks again whenever the one request that is let through fails.
  breaker.onBreak((reason) => {
    if (!isOpen) onOpen(errorOf(reason));
    isOpen = true;
  });
  breaker.onReset(() => {
    if (isOpen) onClose();
    isOpen = false;
  });
  return breaker;
}

/** Returns the name of a circuit breaker's state. It is never isolated. */
export function stateOf({ state }: CircuitBreakerPolicy): CircuitStateName {
  switch (state) {
    case CircuitState.Closed:
      return 'closed';
    case CircuitState.HalfOpen:
      return 'half-open';
    case CircuitState.Open:
    case CircuitState.Isolated:
      return 'open';
  }
}

/** Returns whether a failure is an outage: a 429 limits this service, and a refusal is about one token. */
function isOutage(error: Error): boolean {
  return error instanceof DiscordUnavailableError && error.fault !== 'rate-limited' && error.fault !== 'refused';
}

function errorOf(reason: FailureReason<unknown> | { readonly isolated: true }): unknown {
  return 'error' in reason ? reason.error : undefined;
}
