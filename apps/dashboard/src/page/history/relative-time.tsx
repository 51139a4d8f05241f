import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { absoluteTime, relativeTime, untilNextTextMs } from './time.ts';
import { useNow } from './use-time.ts';

/** A time in relation to now, kept up to date, with the date as its tooltip. */
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
