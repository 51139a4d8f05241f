import { LIMITS } from '@guild-settings/contract';
import type { Operation } from '@trpc/client';
import { requestOf } from './request-context.ts';

/** The longest address of a batch of queries, in characters: well below what servers and proxies take. */
export const MAX_URL_LENGTH = 6_000;

/**
 * Whether a call needs a request of its own: its headers are for it alone, or its input is so large that ten of them
 * would be more than the service takes at once.
 */
export function needsOwnRequest(op: Operation): boolean {
  return requestOf(op) !== undefined || (op.type === 'mutation' && lengthOf(op.input) > LIMITS.bodyBytes);
}

function lengthOf(input: unknown): number {
  return JSON.stringify(input)?.length ?? 0;
}
