import { RateLimitError, type REST } from 'discord.js';

/** Difference between the two clocks' progress that is a step and not drift, in milliseconds. */
const STEP_MS = 1_000;

const CHECK_INTERVAL_MS = 1_000;

interface Clocks {
  readonly wall: () => number;
  readonly monotonic: () => number;
}

const SYSTEM: Clocks = { wall: () => Date.now(), monotonic: () => performance.now() };

/**
 * Corrects the rate limits of discord.js when the system's clock is set. Its REST client stores the end of a limit by the
 * system's clock, so after a step of an hour back a channel would wait for an hour. A step ends all limits. If that is too
 * early, Discord responds with 429 and the time to wait. A request that would wait for the wrong time is rejected before it is
 * sent, and retried.
 * @returns a function that stops the correction
 */
export function followClockSteps(rest: REST, clocks: Clocks = SYSTEM): () => void {
  const offset = () => clocks.wall() - clocks.monotonic();
  let known = offset();
  const check = (): boolean => {
    const step = offset() - known;
    if (Math.abs(step) < STEP_MS) return false;
    known += step;
    endLimits(rest, clocks.wall());
    return true;
  };
  rest.options.rejectOnRateLimit = check;
  const queueRequest = rest.queueRequest.bind(rest);
  rest.queueRequest = async (request) => {
    try {
      return await queueRequest(request);
    } catch (error) {
      // Only the check above rejects because of limits.
      if (!(error instanceof RateLimitError)) throw error;
      return queueRequest(request);
    }
  };
  const timer = setInterval(check, CHECK_INTERVAL_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** Ends all limits. They are internal fields of discord.js, so only those that are numbers are written. */
function endLimits(rest: REST, now: number): void {
  const end = (target: object, field: string) => {
    const until: unknown = Reflect.get(target, field);
    if (typeof until === 'number' && until > now) Reflect.set(target, field, now);
  };
  end(rest, 'globalReset');
  for (const handler of rest.handlers.values()) end(handler, 'reset');
}
