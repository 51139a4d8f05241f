import { bulkhead } from 'cockatiel';
import { type DiscordGet, DiscordUnavailableError } from '../auth/discord-api.ts';

/** The number of requests that may begin together, and the time after which each makes room for another one. */
export interface Pace {
  readonly burst: number;
  readonly burstMs: number;
}

/** 20 requests in any second. Discord's global limit is 50 a second, which the bot has a share of. */
const PACE: Pace = { burst: 4, burstMs: 200 };

/**
 * Returns a sender of requests with the bot's token that begins 20 in any second, unless another pace is given. Others wait for
 * their turn. The caller limits how many there are.
 * @see https://docs.discord.com/developers/topics/rate-limits#global-rate-limit
 */
export function paced(send: DiscordGet, { burst, burstMs }: Pace = PACE): DiscordGet {
  const slots = bulkhead(burst, Number.POSITIVE_INFINITY);
  /** Begins a request when its turn comes. One that was aborted while it waited leaves its turn to the next one. */
  const begin = (signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      void slots.execute(() => {
        resolve();
        return signal.aborted ? undefined : new Promise((end) => setTimeout(end, burstMs));
      });
    });
  return async (request) => {
    await begin(request.signal);
    if (request.signal.aborted) throw new DiscordUnavailableError('timeout');
    return send(request);
  };
}
