import { RateLimitError, type REST } from 'discord.js';

/** A difference between the two clocks' progress that is a step of the system's clock and no drift, in milliseconds. */
const STEP_MS = 1_000;

/** How often the clocks are compared, in milliseconds. */
const CHECK_EVERY_MS = 1_000;

interface Clocks {
  readonly wall: () => number;
  readonly monotonic: () => number;
}

const SYSTEM: Clocks = { wall: () => Date.now(), monotonic: () => performance.now() };

/**
 * Keeps the rate limits of discord.js right when the system's clock is set. Its REST client remembers by the system's clock
 * when a limit ends, so a clock that goes an hour back would have a channel wait for an hour. A step
 * ends all limits; where that is early, Discord answers with 429 and the time to wait, which is kept to. A request that was
 * about to wait for the wrong time is rejected before it is sent, and sent anew.
 * @returns a function that ends it
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
  const timer = setInterval(check, CHECK_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** Ends all limits at once. They are fields of discord.js, so only numbers are touched. */
function endLimits(rest: REST, now: number): void {
  const end = (target: object, field: string) => {
    const until: unknown = Reflect.get(target, field);
    if (typeof until === 'number' && until > now) Reflect.set(target, field, now);
  };
  end(rest, 'globalReset');
  for (const handler of rest.handlers.values()) end(handler, 'reset');
}
