import type { Answer } from './buffered-response.ts';
import type { Send } from './deadline-fetch.ts';
import { TokenError } from './token-error.ts';

/** What one grant needs. */
export interface GrantRequest {
  readonly discordApiUrl: string;
  readonly applicationId: string;
  readonly clientSecret: string;
  readonly scopes: readonly string[];
}

/** A token and for how many seconds it is good. */
export interface Grant {
  readonly token: string;
  readonly expiresIn: number;
}

/**
 * Asks Discord for a token of the application's own.
 * @see https://docs.discord.com/developers/topics/oauth2#client-credentials-grant
 * @throws TokenError
 */
export async function requestGrant(send: Send, request: GrantRequest): Promise<Grant> {
  const { discordApiUrl, applicationId, clientSecret, scopes } = request;
  const credentials = Buffer.from(`${applicationId}:${clientSecret}`).toString('base64');
  let answer: Answer;
  try {
    answer = await send(`${discordApiUrl.replace(/\/+$/, '')}/oauth2/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${credentials}`, accept: 'application/json' },
      body: new URLSearchParams({ grant_type: 'client_credentials', scope: scopes.join(' ') }),
      redirect: 'error',
    });
  } catch (cause) {
    throw new TokenError('unavailable', 'Discord could not be asked for a token', { cause });
  }
  if (!answer.ok) throw await refusal(answer, applicationId);
  return readGrant(await bodyOf(answer));
}

async function refusal(answer: Answer, applicationId: string): Promise<TokenError> {
  const { status, retryAfter } = answer;
  if (status === 429 || status >= 500) {
    return new TokenError('unavailable', `Discord gave no token: status ${status}`, { status, retryAfter });
  }
  const { error } = await bodyOf(answer);
  const reason = typeof error === 'string' && /^[a-z_]{1,40}$/.test(error) ? error : undefined;
  const why = reason ?? `status ${status}`;
  return new TokenError('refused', `Discord gave application ${applicationId} no token: ${why}`, { status, reason });
}

/** Of a token, the characters that can stand in a header. */
const TOKEN = /^[\x21-\x7e]+$/;

function readGrant({ access_token: token, expires_in: expiresIn }: Readonly<Record<string, unknown>>): Grant {
  if (typeof token !== 'string' || !TOKEN.test(token) || typeof expiresIn !== 'number' || !(expiresIn > 0)) {
    throw new TokenError('malformed', 'Discord answered the request for a token with something else');
  }
  return { token, expiresIn };
}

/** The answer's JSON object, or an empty one. */
async function bodyOf(answer: Answer): Promise<Readonly<Record<string, unknown>>> {
  const body = await answer.json().catch(() => null);
  return typeof body === 'object' && body !== null ? { ...body } : {};
}
