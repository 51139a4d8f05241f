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

/** Makes a source of one token. */
export function fixedToken(token: string): TokenSource {
  return { get: async () => token, invalidate: () => {} };
}
