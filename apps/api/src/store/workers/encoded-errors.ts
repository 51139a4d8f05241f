import { StoreUnavailableError, type WriteOutcome, WriteUnconfirmedError } from '../store.ts';
import type { EncodedError, RefusalCodec } from './messages.ts';

/** Outcome of a command as plain data. */
export type EncodedOutcome = Extract<WriteOutcome, { readonly result: unknown }> | { readonly error: EncodedError };

/** Returns an error as plain data. */
export function encodeError(error: unknown, refusals: RefusalCodec): EncodedError {
  const refusal = refusals.encode(error);
  if (refusal !== undefined) return { kind: 'refusal', refusal };
  if (!(error instanceof Error)) return { kind: 'other', message: String(error) };
  const { message, stack, cause } = error;
  return {
    kind: kindOf(error),
    message,
    ...(stack !== undefined && { stack }),
    ...(cause instanceof Error && { cause: encodeError(cause, refusals) }),
  };
}

/** Returns the error that {@link encodeError} has encoded. Its class is that of a store's errors, or of the refusal. */
export function decodeError(encoded: EncodedError, refusals: RefusalCodec): Error {
  if (encoded.kind === 'refusal') return refusals.decode(encoded.refusal);
  const error = new ERRORS[encoded.kind](encoded.message);
  if (encoded.stack !== undefined) error.stack = encoded.stack;
  if (encoded.cause !== undefined) error.cause = decodeError(encoded.cause, refusals);
  return error;
}

/** Returns the outcome of a command as plain data. */
export function encodeOutcome(outcome: WriteOutcome, refusals: RefusalCodec): EncodedOutcome {
  return 'refusal' in outcome ? { error: encodeError(outcome.refusal, refusals) } : outcome;
}

/** Returns the outcome that {@link encodeOutcome} has encoded. */
export function decodeOutcome(outcome: EncodedOutcome, refusals: RefusalCodec): WriteOutcome {
  return 'error' in outcome ? { refusal: decodeError(outcome.error, refusals) } : outcome;
}

const ERRORS = { unavailable: StoreUnavailableError, unconfirmed: WriteUnconfirmedError, other: Error } as const;

function kindOf(error: Error): keyof typeof ERRORS {
  if (error instanceof StoreUnavailableError) return 'unavailable';
  return error instanceof WriteUnconfirmedError ? 'unconfirmed' : 'other';
}
