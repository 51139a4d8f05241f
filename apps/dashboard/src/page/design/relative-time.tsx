import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { absoluteTime, relativeTime, untilNextTextMs } from '../i18n/time.ts';

/** A time relative to now, kept up to date, with the date as its tooltip. */
export function RelativeTime({ at }: { readonly at: string }): ReactNode {
  const { language } = useTranslation().i18n;
  const atMs = Date.parse(at);
  const nowMs = useNow((now) => untilNextTextMs(atMs, now));
  return (
    <time dateTime={at} title={absoluteTime(atMs, language)}>
      {relativeTime(atMs, nowMs, language)}
    </time>
  );
}

/** Returns the current time, and renders again after a number of milliseconds. */
export function useNow(refreshAfterMs: (nowMs: number) => number): number {
  const [nowMs, setNowMs] = useState(Date.now);
  const waitMs = Math.min(refreshAfterMs(nowMs), MAX_TIMEOUT_MS);
  useEffect(() => {
    const timer = setTimeout(() => setNowMs(Date.now()), waitMs);
    return () => clearTimeout(timer);
  }, [nowMs, waitMs]);
  return nowMs;
}

/** An hour, because a timer of more than 24 days fires at once. */
const MAX_TIMEOUT_MS = 3_600_000;
