import { ProblemError } from '@guild-settings/contract';
import { StoreUnavailableError, WriteUnconfirmedError } from '../store/store.ts';

export function storeProblem(error: unknown): ProblemError | undefined {
  const slug = slugOf(error);
  return slug && new ProblemError(slug, { retryAfter: 1, cause: error });
}

function slugOf(error: unknown) {
  if (error instanceof StoreUnavailableError) return 'store-unavailable';
  return error instanceof WriteUnconfirmedError ? 'write-unconfirmed' : undefined;
}
