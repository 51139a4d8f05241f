import { z } from 'zod';
import type { BufferedResponse, Send } from './service-fetch.ts';
import { TokenError } from './token-error.ts';
import { UnexpectedResponseError } from './transport-errors.ts';

export interface GrantRequest {
  readonly discordApiUrl: string;
  readonly applicationId: string;
  readonly clientSecret: string;
  readonly scopes: readonly string[];
}

/** A token, and how long it is valid. */
export interface Grant {
  readonly token: string;
  readonly expiresInSeconds: number;
}

/**
 * Requests a token of the application from Discord.
 * @see https://docs.discord.com/developers/topics/oauth2#client-credentials-grant
 * @throws TokenError
 */
export async function requestGrant(send: Send, request: GrantRequest): Promise<Grant> {
  const { discordApiUrl, applicationId, clientSecret, scopes } = request;
  const credentials = Buffer.from(`${applicationId}:${clientSecret}`).toString('base64');
  let response: BufferedResponse;
  try {
    response = await send(`${discordApiUrl.replace(/\/+$/, '')}/oauth2/token`, {
      method: 'POST',
      headers: new Headers({ authorization: `Basic ${credentials}`, accept: 'application/json' }),
      body: new URLSearchParams({ grant_type: 'client_credentials', scope: scopes.join(' ') }),
    });
  } catch (cause) {
    // A redirect, which would take the secret to another address.
    if (cause instanceof UnexpectedResponseError) throw new TokenError('malformed', cause.message, { cause });
    throw new TokenError('unavailable', 'The request for a token did not reach Discord', { cause });
  }
  if (!response.ok) throw await errorOf(response, applicationId);
  const { data } = GrantBody.safeParse(await response.json().catch(() => null));
  if (data === undefined) throw new TokenError('malformed', 'Expected a token from Discord, received something else');
  return { token: data.access_token, expiresInSeconds: data.expires_in };
}

/** A grant, with a token of characters that a header can carry. */
const GrantBody = z.object({ access_token: z.string().regex(/^[\x21-\x7e]+$/), expires_in: z.number().positive() });

const ErrorBody = z.object({ error: z.string().regex(/^[a-z_]{1,40}$/) });

async function errorOf(response: BufferedResponse, applicationId: string): Promise<TokenError> {
  const { status, retryAfter } = response;
  if (status === 429 || status >= 500) {
    return new TokenError('unavailable', `Discord issued no token: status ${status}`, { status, retryAfter });
  }
  const reason = ErrorBody.safeParse(await response.json().catch(() => null)).data?.error;
  const why = reason ?? `status ${status}`;
  return new TokenError('refused', `Discord issued no token to application ${applicationId}: ${why}`, {
    status,
    reason,
  });
}
