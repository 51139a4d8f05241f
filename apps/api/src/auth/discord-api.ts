import type { z } from 'zod';
import type { Metrics } from '../ops/metrics.ts';
import { DiscordUnavailableError, TokenRejectedError } from './discord-errors.ts';
import { CurrentAuthorization, CurrentUserGuilds, Refusal } from './discord-shapes.ts';

/** How long one call may take, in milliseconds. */
const CALL_TIMEOUT = 3_000;

/** The longest that a 429 of Discord's is heeded, in seconds. */
const MAX_RETRY_AFTER = 60;

/** The two questions that the service asks Discord. */
export interface DiscordApi {
  /** @throws TokenRejectedError, DiscordUnavailableError */
  currentAuthorization(token: string): Promise<CurrentAuthorization>;
  /** All of them: 200 is the most guilds a person can be in, and the most one page holds. @throws as above */
  currentUserGuilds(token: string): Promise<CurrentUserGuilds>;
}

interface DiscordApiOptions {
  readonly apiUrl: string;
  readonly metrics: Metrics;
}

/** Discord's REST API, with a deadline on every call and every answer checked. */
export function createDiscordApi({ apiUrl, metrics }: DiscordApiOptions): DiscordApi {
  async function get<T>(path: string, token: string, shape: z.ZodType<T>): Promise<T> {
    const done = metrics.discordCall(path);
    try {
      const result = await request(`${apiUrl}${path}`, token, shape);
      done('ok');
      return result;
    } catch (error) {
      done(error instanceof DiscordUnavailableError ? error.fault : 'rejected');
      throw error;
    }
  }
  return {
    currentAuthorization: (token) => get('/oauth2/@me', token, CurrentAuthorization),
    currentUserGuilds: (token) => get('/users/@me/guilds', token, CurrentUserGuilds),
  };
}

async function request<T>(url: string, token: string, shape: z.ZodType<T>): Promise<T> {
  const signal = AbortSignal.timeout(CALL_TIMEOUT);
  try {
    const response = await fetch(url, {
      headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
      redirect: 'error',
      signal,
    });
    const body = await response.text();
    refuseFailure(response, body);
    return parse(body, shape);
  } catch (error) {
    if (error instanceof TokenRejectedError || error instanceof DiscordUnavailableError) throw error;
    throw new DiscordUnavailableError(signal.aborted ? 'timeout' : 'network', { cause: error });
  }
}

/** Only a 401 speaks of the token. Everything else that is not a success is Discord's own trouble. */
function refuseFailure(response: Response, body: string): void {
  if (response.ok) return;
  if (response.status === 401) {
    // Discord refuses tokens in JSON. Another 401 comes from something in between, and must not log people out.
    parse(body, Refusal);
    throw new TokenRejectedError('Discord answered 401');
  }
  if (response.status !== 429) throw new DiscordUnavailableError('status', { cause: `status ${response.status}` });
  const seconds = Number(response.headers.get('retry-after'));
  throw new DiscordUnavailableError('rate-limited', {
    retryAfter: Number.isFinite(seconds) ? Math.min(Math.max(Math.ceil(seconds), 1), MAX_RETRY_AFTER) : MAX_RETRY_AFTER,
    // A 429 without Discord's own headers comes from its edge, which then refuses this whole address.
    everyone: response.headers.has('x-ratelimit-global') || !response.headers.has('x-ratelimit-bucket'),
  });
}

function parse<T>(body: string, shape: z.ZodType<T>): T {
  try {
    return shape.parse(JSON.parse(body));
  } catch (error) {
    // The cause is left out: it may quote what it could not read.
    throw new DiscordUnavailableError('malformed', { cause: error instanceof Error ? error.name : undefined });
  }
}
