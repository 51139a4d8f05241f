import { useCountdown } from '../design/panels.tsx';
import type { Refusal } from './outcome.ts';

/** The wait after too many changes, where the service does not send one. */
const DEFAULT_WAIT_SECONDS = 5;

/** Returns the seconds until a refused change may be sent again, and renders again each second. */
export function useWait(refusal: Refusal | undefined): number {
  const { failure, retryAfter, at = 0 } = refusal ?? {};
  return useCountdown({ startedAt: at, seconds: retryAfter ?? (failure === 'limited' ? DEFAULT_WAIT_SECONDS : 0) });
}
