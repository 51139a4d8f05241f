import { useEffect, useState } from 'react';

/** Returns the time now, and renders again after a number of milliseconds. */
export function useNow(refreshAfterMs: (nowMs: number) => number): number {
  const [nowMs, setNowMs] = useState(Date.now);
  const waitMs = Math.min(refreshAfterMs(nowMs), MAX_TIMEOUT_MS);
  useEffect(() => {
    const timer = setTimeout(() => setNowMs(Date.now()), waitMs);
    return () => clearTimeout(timer);
  }, [nowMs, waitMs]);
  return nowMs;
}

/** An hour: a timer of more than 24 days fires at once. */
const MAX_TIMEOUT_MS = 3_600_000;
