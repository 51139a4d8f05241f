import type { z } from 'zod';
import type { Metrics } from '../ops/metrics.ts';
import { DiscordUnavailableError, TokenRejectedError } from './discord-errors.ts';
import { CurrentAuthorization, CurrentUserGuilds, Refusal } from './discord-shapes.ts';

/** How long one call may take, in milliseconds. */
const CALL_TIMEOUT = 3_000;

/** The longest that a 429 of Discord's is heeded, in seconds. */
const MAX_RETRY_AFTER = 60;

/** How long a token that Discord refuses for a reason of its own is not asked about again, in seconds. */
const REFUSED_RETRY_AFTER = 60;

/** The two questions that the service asks Discord. The signal ends a call early. */
export interface DiscordApi {
  /** @throws TokenRejectedError, DiscordUnavailableError */
  currentAuthorization(token: string, signal: AbortSignal): Promise<CurrentAuthorization & Answered>;
  /** All of them: 200 is the most guilds a person can be in, and the most one page holds. @throws as above */
  currentUserGuilds(token: string, signal: AbortSignal): Promise<CurrentUserGuilds>;
}

/** When Discord responded. */
export interface Answered {
  /** By Discord's clock, in milliseconds since 1970; undefined where the response has no readable Date. */
  readonly respondedAt: number | undefined;
}

interface DiscordApiOptions {
  readonly apiUrl: string;
  readonly metrics: Metrics;
  /** Called with each token that is sent to Discord, before it is. */
  readonly onToken: (token: string) => void;
}

/** Discord's REST API, with a deadline on every call and every answer checked. */
export function createDiscordApi({ apiUrl, metrics, onToken }: DiscordApiOptions): DiscordApi {
  async function get<T>(path: string, token: string, signal: AbortSignal, shape: z.ZodType<T>) {
    onToken(token);
    const done = metrics.discordCall(path);
    try {
      const { body, respondedAt } = await request(`${apiUrl}${path}`, token, signal);
      const value = parse(body, shape);
      done('ok');
      return { value, respondedAt };
    } catch (error) {
      done(error instanceof DiscordUnavailableError ? error.fault : 'rejected');
      throw error;
    }
  }
  return {
    async currentAuthorization(token, signal) {
      const { value, respondedAt } = await get('/oauth2/@me', token, signal, CurrentAuthorization);
      return { ...value, respondedAt };
    },
    async currentUserGuilds(token, signal) {
      return (await get('/users/@me/guilds', token, signal, CurrentUserGuilds)).value;
    },
  };
}

async function request(url: string, token: string, signal: AbortSignal): Promise<{ body: string } & Answered> {
  const deadline = AbortSignal.timeout(CALL_TIMEOUT);
  let response: Response;
  let body: string;
  try {
    response = await fetch(url, {
      headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
      redirect: 'error',
      signal: AbortSignal.any([signal, deadline]),
    });
    body = await response.text();
  } catch (cause) {
    throw new DiscordUnavailableError(deadline.aborted || signal.aborted ? 'timeout' : 'network', { cause });
  }
  refuseFailure(response, body);
  return { body, respondedAt: respondedAt(response.headers) };
}

/** A 401 speaks of the token; a 429 of our calls; another 4xx of this one token's owner; the rest is Discord's trouble. */
function refuseFailure(response: Response, body: string): void {
  const { ok, status, headers } = response;
  if (ok) return;
  if (status === 429) throw rateLimited(headers);
  if (status < 400 || status >= 500) throw new DiscordUnavailableError('status', { cause: `status ${status}` });
  // Discord refuses in JSON. Another refusal comes from something in between, and must not log people out.
  parse(body, Refusal);
  if (status === 401) throw new TokenRejectedError('Discord answered 401');
  throw new DiscordUnavailableError('refused', { retryAfter: REFUSED_RETRY_AFTER, cause: `status ${status}` });
}

/** The Date header counts whole seconds: the latest moment that it can stand for. */
function respondedAt(headers: Headers): number | undefined {
  const date = Date.parse(headers.get('date') ?? '');
  return Number.isNaN(date) ? undefined : date + 999;
}

function rateLimited(headers: Headers): DiscordUnavailableError {
  const seconds = Number(headers.get('retry-after'));
  return new DiscordUnavailableError('rate-limited', {
    retryAfter: Number.isFinite(seconds) ? Math.min(Math.max(Math.ceil(seconds), 1), MAX_RETRY_AFTER) : MAX_RETRY_AFTER,
    // A 429 without Discord's own headers comes from its edge, which then refuses this whole address.
    everyone: headers.has('x-ratelimit-global') || !headers.has('x-ratelimit-bucket'),
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
