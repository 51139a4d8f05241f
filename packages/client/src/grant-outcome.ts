import type { TokenError, TokenFault } from './token-error.ts';

/** How a request for a token ended. */
export type GrantOutcome =
  | { readonly outcome: 'granted' }
  | {
      readonly outcome: TokenFault;
      readonly error: TokenError;
      /** Until the next request may be sent, in milliseconds. Callers receive the error meanwhile. */
      readonly retryInMs: number;
    };
