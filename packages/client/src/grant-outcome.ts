import type { TokenError, TokenFault } from './token-error.ts';

/** The outcome of a request for a token. */
export type GrantOutcome =
  | { readonly outcome: 'granted' }
  | {
      readonly outcome: TokenFault;
      readonly error: TokenError;
      /** Time until the next request may be sent. Callers receive the error meanwhile. */
      readonly retryInMs: number;
    };
