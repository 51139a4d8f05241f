import { useEffect, useEffectEvent, useState } from 'react';

interface Countdown {
  readonly startedAt: number;
  readonly seconds: number;
  readonly onEnd?: (() => unknown) | undefined;
}

/** Returns the whole seconds that are left, and renders again each second. */
export function useCountdown({ startedAt, seconds, onEnd }: Countdown): number {
  const left = () => Math.max(0, Math.ceil((startedAt + seconds * 1_000 - Date.now()) / 1_000));
  const [, render] = useState(0);
  const end = useEffectEvent(() => void onEnd?.());
  useEffect(() => {
    const endsAt = startedAt + seconds * 1_000;
    if (endsAt <= Date.now()) return;
    const timer = setInterval(() => {
      render((count) => count + 1);
      if (Date.now() < endsAt) return;
      clearInterval(timer);
      end();
    }, 1_000);
    return () => clearInterval(timer);
  }, [startedAt, seconds]);
  return left();
}
