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

async function tokenWithin(tokens: TokenSource, timeoutMs: number, caller: AbortSignal | undefined): Promise<string> {
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(new DeadlineError(timeoutMs)), timeoutMs);
  const signal = caller ? AbortSignal.any([caller, deadline.signal]) : deadline.signal;
  try {
    return await abortable(tokens.get(signal), signal);
  } finally {
    clearTimeout(timer);
  }
}

function withToken(options: SendOptions, token: string): SendOptions {
  // Checked here, because the error of Headers would quote the token.
  if (!/^[\x21-\x7e]+$/.test(token)) throw new TypeError('The token holds characters that no header can carry');
  return { ...options, headers: { ...asObject(options.headers), authorization: `Bearer ${token}` } };
}

function asObject(headers: SendOptions['headers']): Record<string, string> {
  return Object.fromEntries(new Headers(headers));
}

/** Whether the response says that the token is invalid (RFC 6750, section 3.1). */
function refusesToken({ status, headers }: BufferedResponse): boolean {
  return status === 401 && /\berror="invalid_token"/.test(headers.get('www-authenticate') ?? '');
}
