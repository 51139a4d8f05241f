import { abortable } from './abortable.ts';
import type { Answer } from './buffered-response.ts';
import type { Send, SendOptions } from './deadline-fetch.ts';
import type { TokenSource } from './token-source.ts';
import { DeadlineError } from './transport-errors.ts';

export interface AuthorizedFetchOptions {
  readonly send: Send;
  readonly tokens: TokenSource;
  /** Milliseconds that the token source has. */
  readonly timeout: number;
}

/**
 * Sends requests with a token. Where the service refuses the token, and there is another, the request is sent once more:
 * a refused request was not carried out, so this is safe for changes too.
 */
export function authorizedFetch({ send, tokens, timeout }: AuthorizedFetchOptions): Send {
  return async (url, options) => {
    const token = await tokenWithin(tokens, timeout, options.signal);
    const answer = await send(url, withToken(options, token));
    if (!refusesToken(answer)) return answer;
    tokens.invalidate(token);
    const fresh = await tokenWithin(tokens, timeout, options.signal);
    return fresh === token ? answer : send(url, withToken(options, fresh));
  };
}

async function tokenWithin(tokens: TokenSource, timeout: number, caller: AbortSignal | undefined): Promise<string> {
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(new DeadlineError(timeout)), timeout);
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

/** @see https://www.rfc-editor.org/rfc/rfc6750#section-3.1 */
function refusesToken({ status, headers }: Answer): boolean {
  return status === 401 && /\berror="invalid_token"/.test(headers.get('www-authenticate') ?? '');
}
