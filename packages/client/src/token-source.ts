/** Where the client gets its access token from. */
export interface TokenSource {
  /**
   * A token that is believed to be good, as it stands after `Bearer`.
   * @param signal ends this caller's wait
   */
  get(signal?: AbortSignal): Promise<string>;
  /** Says that the service refused this token, so that the next one is another, if there is another. */
  invalidate(token: string): void;
}

/** One token, for as long as it is good. */
export function fixedToken(token: string): TokenSource {
  return { get: async () => token, invalidate: () => {} };
}
