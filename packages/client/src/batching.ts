import { LIMITS } from '@guild-settings/contract';
import type { Operation } from '@trpc/client';
import { requestOf } from './request-context.ts';

/** The longest URL of a batch of queries, in characters: well below the limits of servers and proxies. */
export const MAX_URL_LENGTH = 6_000;

/**
 * Whether a call needs a request of its own: it has headers of its own, or its input is so large that ten of them would
 * exceed the service's limit of a batch.
 */
export function needsOwnRequest(op: Operation): boolean {
  return requestOf(op) !== undefined || (op.type === 'mutation' && lengthOf(op.input) > LIMITS.bodyBytes);
}

function lengthOf(input: unknown): number {
  return JSON.stringify(input)?.length ?? 0;
}
