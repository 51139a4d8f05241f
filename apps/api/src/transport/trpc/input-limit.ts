import { LIMITS } from '@guild-settings/contract';
import type { Principal } from '../../auth/principal.ts';

/** Bytes of a full presence snapshot, with every name at its longest. */
const LARGE_INPUT_BYTES = 2 * 1024 * 1024;

/** Operations that the application alone may call, and whose input may be large. */
const LARGE_INPUTS: ReadonlySet<string> = new Set(['presence.report']);

/** Bytes of what a tRPC input holds beside the body that REST would have: the guild, and the braces of a batch. */
const ENVELOPE_BYTES = 128;

/**
 * Bytes that the body of a tRPC request may have. Large input is for the application: it is parsed before the caller's
 * permission in a guild can be judged, because the guild is part of it.
 * @param path the operations of the request, separated by commas
 */
export function maxInputBytes(path: string, principal: Principal | undefined): number {
  const operations = path.split(',').slice(0, LIMITS.batchCalls);
  const isLarge = principal?.kind === 'application' && operations.some((operation) => LARGE_INPUTS.has(operation));
  return isLarge ? LARGE_INPUT_BYTES : operations.length * (LIMITS.bodyBytes + ENVELOPE_BYTES);
}
