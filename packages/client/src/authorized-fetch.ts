import { abortable } from './abortable.ts';
import type { BufferedResponse } from './buffered-response.ts';
import type { Send, SendOptions } from './deadline-fetch.ts';
import type { TokenSource } from './token-source.ts';
import { DeadlineError } from './transport-errors.ts';

/** Options of `authorizedFetch`. */
export interface AuthorizedFetchOptions {
  readonly send: Send;
  readonly tokens: TokenSource;
  /** How long the token source may take. */
  readonly tokenTimeoutMs: number;
}

/**
 * Returns a function that sends requests with a token. When the service rejects the token, and the source has another, the
 * request is sent once more. This is safe for mutations, too: a rejected request was not processed.
 */
export function authorizedFetch({ send, tokens, tokenTimeoutMs }: AuthorizedFetchOptions): Send {
  return async (url, options) => {
    const token = await tokenWithin(tokens, tokenTimeoutMs, options.signal);
    const response = await send(url, withToken(options, token));
    if (!refusesToken(response)) return response;
    tokens.invalidate(token);
    const fresh = await tokenWithin(tokens, tokenTimeoutMs, options.signal);
    return fresh === token ? response : send(url, withToken(options, fresh));
  };
}

/** Waits for a token until the deadline, or until the caller's signal aborts. */
function tokenWithin(tokens: TokenSource, timeoutMs: number, caller: AbortSignal | undefined): Promise<string> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new DeadlineError(timeoutMs)), timeoutMs);
    abortable(tokens.get(caller), caller)
      .then(resolve, reject)
      .finally(() => clearTimeout(timer));
  });
}

function withToken(options: SendOptions, token: string): SendOptions {
  // Checked here, because the error of Headers would quote the token.
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new TypeError(
      'Expected a token of printable ASCII characters without spaces, received others. Check the source of tokens.',
    );
  const headers = new Headers(options.headers);
  headers.set('authorization', `Bearer ${token}`);
  return { ...options, headers };
}

/** Whether the response says that the token is invalid (RFC 6750, section 3.1). */
function refusesToken({ status, headers }: BufferedResponse): boolean {
  return status === 401 && /\berror="invalid_token"/.test(headers.get('www-authenticate') ?? '');
}
