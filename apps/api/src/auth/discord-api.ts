import { GuildId, Snowflake } from '@guild-settings/contract';
import { redirectText } from '@guild-settings/runtime/redirect';
import { z } from 'zod';
import type { Metrics } from '../observability/metrics.ts';

const REQUEST_TIMEOUT_MS = 3_000;

const MAX_RETRY_AFTER_MS = 60_000;

/** Time for which a token is not checked again after Discord refused it with a status other than 401. */
const REFUSED_RETRY_AFTER_MS = 60_000;

export type DiscordApi = ReturnType<typeof createDiscordApi>;

interface ResponseTime {
  /** By Discord's clock, in milliseconds since 1970; undefined: the response has no valid `Date` header. */
  readonly respondedAt: number | undefined;
}

interface DiscordApiOptions {
  readonly apiUrl: string;
  readonly metrics: Metrics;
  readonly onToken: (token: string) => void;
}

export function createDiscordApi({ onToken, ...options }: DiscordApiOptions) {
  const send = createDiscordGet(options);
  async function get<T>(path: string, token: string, signal: AbortSignal, shape: z.ZodType<T>, endpoint = path) {
    onToken(token);
    return send({ path, endpoint, authorization: `Bearer ${token}`, signal, shape });
  }
  return {
    async currentAuthorization(token: string, signal: AbortSignal) {
      const { value, respondedAt } = await get('/oauth2/@me', token, signal, CurrentAuthorization);
      return { ...value, respondedAt };
    },
    /** Returns all guilds of the user: a page holds 200, as many as a user can join. @throws TokenRejectedError, DiscordUnavailableError */
    async currentUserGuilds(token: string, signal: AbortSignal) {
      return (await get('/users/@me/guilds', token, signal, CurrentUserGuilds)).value;
    },
    async currentUserRoles(token: string, id: GuildId, signal: AbortSignal) {
      const endpoint = '/users/@me/guilds/{guild}/member';
      return (await get(`/users/@me/guilds/${id}/member`, token, signal, CurrentUserMember, endpoint)).value.roles;
    },
  };
}

interface DiscordRequest<T> {
  readonly path: string;
  readonly endpoint: string;
  readonly authorization: string;
  readonly signal: AbortSignal;
  readonly shape: z.ZodType<T>;
}

export type DiscordGet = <T>(request: DiscordRequest<T>) => Promise<{ readonly value: T } & ResponseTime>;

/** Creates the sender of requests. Every request has a timeout, and every response is validated. */
export function createDiscordGet({ apiUrl, metrics }: Omit<DiscordApiOptions, 'onToken'>): DiscordGet {
  return async ({ path, endpoint, authorization, signal, shape }) => {
    const done = metrics.discordCall(endpoint);
    try {
      const { body, respondedAt } = await request({ apiUrl, path, authorization, signal });
      const value = parse(body, shape);
      done('ok');
      return { value, respondedAt };
    } catch (error) {
      done(error instanceof DiscordUnavailableError ? error.fault : 'rejected');
      throw error;
    }
  };
}

async function request({
  apiUrl,
  path,
  authorization,
  signal,
}: Omit<DiscordRequest<unknown>, 'endpoint' | 'shape'> & Pick<DiscordApiOptions, 'apiUrl'>): Promise<
  { body: string } & ResponseTime
> {
  const url = `${apiUrl}${path}`;
  const timeout = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
  let response: Response;
  let body: string;
  try {
    response = await fetch(url, {
      headers: { authorization, accept: 'application/json' },
      redirect: 'manual',
      signal: AbortSignal.any([signal, timeout]),
    });
    body = await response.text();
  } catch (cause) {
    throw new DiscordUnavailableError(timeout.aborted || signal.aborted ? 'timeout' : 'network', { cause });
  }
  const { status, headers } = response;
  const address = { of: 'Discord', baseUrl: apiUrl, variable: 'DISCORD_API_URL' };
  const cause = redirectText(address, url, { status, location: headers.get('location') });
  if (cause !== undefined) throw new DiscordUnavailableError('status', { cause });
  throwFailure(response, body);
  return { body, respondedAt: respondedAt(response.headers) };
}

/** Throws for a status other than 2xx: 401 rejects the token, 429 limits the service, another 4xx refuses this token alone. */
function throwFailure(response: Response, body: string): void {
  const { ok, status, headers } = response;
  if (ok) return;
  if (status === 429) throw rateLimited(headers, body);
  if (status < 400 || status >= 500) throw new DiscordUnavailableError('status', { cause: `status ${status}` });
  // Discord's refusals are JSON. Another body is from a proxy and must not log users out.
  parse(body, Refusal);
  if (status === 401) throw new TokenRejectedError('Discord responded with 401');
  const cause = `status ${status}`;
  throw new DiscordUnavailableError('refused', { retryAfterMs: REFUSED_RETRY_AFTER_MS, status, cause });
}

/** Returns the latest time that a `Date` header, which has whole seconds, can stand for. */
function respondedAt(headers: Headers): number | undefined {
  const date = Date.parse(headers.get('date') ?? '');
  return Number.isNaN(date) ? undefined : date + 999;
}

function rateLimited(headers: Headers, body: string): DiscordUnavailableError {
  return new DiscordUnavailableError('rate-limited', {
    retryAfterMs: Math.min(retryAfterSeconds(headers, body) * 1_000, MAX_RETRY_AFTER_MS),
    // A 429 without the headers of Discord's API is from its edge, which then refuses this IP address.
    isGlobal: headers.has('x-ratelimit-global') || !headers.has('x-ratelimit-bucket'),
  });
}

/** Seconds from the body are exact, seconds from the header are whole. Infinity: neither is valid. */
function retryAfterSeconds(headers: Headers, body: string): number {
  const header = headers.get('retry-after');
  const seconds = [exactSeconds(body), header === null ? Number.NaN : Number(header)];
  return seconds.find((one) => Number.isFinite(one) && one >= 0) ?? Number.POSITIVE_INFINITY;
}

function exactSeconds(body: string): number {
  try {
    return RateLimit.parse(JSON.parse(body)).retry_after;
  } catch {
    return Number.NaN;
  }
}

function parse<T>(body: string, shape: z.ZodType<T>): T {
  try {
    return shape.parse(JSON.parse(body));
  } catch (error) {
    // The cause is left out: it may quote the body.
    throw new DiscordUnavailableError('malformed', { cause: error instanceof Error ? error.name : undefined });
  }
}

/**
 * The fields of Discord's response that the service uses. A response of another shape counts as an outage.
 * @see https://docs.discord.com/developers/topics/oauth2#get-current-authorization-information
 */
export const CurrentAuthorization = z.object({
  application: z.object({
    id: Snowflake,
    // Display only: a token is not refused if they are missing.
    name: z.string().optional().catch(undefined),
    icon: z.string().nullish().catch(undefined),
  }),
  scopes: z.array(z.string()),
  expires: z.string().transform((value, context) => {
    const milliseconds = Date.parse(value);
    if (Number.isNaN(milliseconds)) context.addIssue('expected a date');
    return milliseconds;
  }),
  user: z
    .object({
      id: Snowflake,
      username: z.string().optional().catch(undefined),
      global_name: z.string().nullish().catch(undefined),
      avatar: z.string().nullish().catch(undefined),
    })
    .optional(),
});

export type CurrentAuthorization = z.infer<typeof CurrentAuthorization>;

/** @see https://docs.discord.com/developers/resources/user#get-current-user-guilds */
export const CurrentUserGuilds = z.array(
  z.object({
    id: z.union([GuildId, Snowflake]),
    name: z.string(),
    icon: z.string().nullable(),
    owner: z.boolean(),
    permissions: z.string().regex(/^\d+$/).transform(BigInt),
  }),
);

export type CurrentUserGuilds = z.infer<typeof CurrentUserGuilds>;

/** @see https://docs.discord.com/developers/resources/user#get-current-user-guild-member */
const CurrentUserMember = z.object({ roles: z.array(Snowflake) });

/** @see https://docs.discord.com/developers/reference#error-messages */
const Refusal = z.object({ message: z.string() });

/** @see https://docs.discord.com/developers/topics/rate-limits#exceeding-a-rate-limit */
const RateLimit = z.object({ retry_after: z.number() });

export class TokenRejectedError extends Error {
  override readonly name = 'TokenRejectedError';
}

/**
 * The reason why a request to Discord did not show whether the token is valid. `refused`: Discord refused this token
 * for another reason; `overloaded` and `circuit-open`: no request was sent.
 */
type DiscordFault =
  | 'network'
  | 'timeout'
  | 'status'
  | 'malformed'
  | 'refused'
  | 'rate-limited'
  | 'overloaded'
  | 'circuit-open';

interface DiscordFailure {
  readonly retryAfterMs?: number;
  readonly isGlobal?: boolean;
  readonly status?: number;
  readonly cause?: unknown;
}

/** Discord did not respond as expected: a token could not be checked, or a guild not be read. */
export class DiscordUnavailableError extends Error {
  override readonly name = 'DiscordUnavailableError';
  readonly fault: DiscordFault;
  readonly retryAfterMs: number;
  readonly isGlobal: boolean;
  readonly status: number | undefined;

  constructor(fault: DiscordFault, options: DiscordFailure = {}) {
    super(`Discord is unavailable: ${fault}`, { cause: options.cause });
    this.fault = fault;
    this.retryAfterMs = options.retryAfterMs ?? 1_000;
    this.isGlobal = options.isGlobal ?? false;
    this.status = options.status;
  }

  get retryAfter(): number {
    return Math.max(1, Math.ceil(this.retryAfterMs / 1_000));
  }

  get wasRequested(): boolean {
    return this.fault !== 'overloaded' && this.fault !== 'circuit-open';
  }
}
