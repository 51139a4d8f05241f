/** A source of access tokens. */
export interface TokenSource {
  /**
   * Returns a token that is probably valid, as it stands after `Bearer`.
   * @param signal ends this caller's wait
   */
  get(signal?: AbortSignal): Promise<string>;
  /** Reports that the service rejected this token, so that `get` returns another one if there is one. */
  invalidate(token: string): void;
}

/** Returns a source of tokens. That of one token has no other. */
export function tokenSource(token: string | TokenSource): TokenSource {
  if (typeof token !== 'string') return token;
  return { get: async () => token, invalidate: () => {} };
}
