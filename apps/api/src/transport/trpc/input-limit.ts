import { LIMITS } from '@guild-settings/contract';
import type { Principal } from '../../auth/principal.ts';
import { OPERATIONS_BY_PATH } from '../../operations/handlers.ts';

/** Bytes of a tRPC input beyond the body that REST has: the guild's id, and the braces of a batch. */
const ENVELOPE_BYTES = 128;

/**
 * Returns the maximum size, in bytes, of the body of a tRPC request. Large inputs are for the application alone: an input is
 * parsed before the caller's permission in a guild can be checked, because it contains the guild's id.
 * @param path the operations of the request, separated by commas
 * @param bodyBytes the limit of one call
 */
export function maxInputBytes(path: string, bodyBytes: number, principal: Principal | undefined): number {
  const names = path.split(',').slice(0, LIMITS.batchCalls);
  const large = principal?.kind === 'application' ? names.map(largeInputBytes) : [];
  return Math.max(names.length * (bodyBytes + ENVELOPE_BYTES), ...large);
}

function largeInputBytes(name: string): number {
  return OPERATIONS_BY_PATH.get(name)?.maxInputBytes ?? 0;
}
