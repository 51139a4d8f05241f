import { type ReactNode, useEffect, useSyncExternalStore } from 'react';

/** The text that screen readers read out, and a number that makes each announcement a new one. */
interface Announcement {
  readonly text: string;
  readonly count: number;
}

let current: Announcement = { text: '', count: 0 };
const listeners = new Set<() => void>();

/** Has screen readers read out a text when they are done with what they say. */
export function announce(text: string): void {
  current = { text, count: current.count + 1 };
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Has screen readers read out a text that is on the page, whenever it is another one. */
export function useAnnouncement(text: string | undefined): void {
  useEffect(() => {
    if (text !== undefined) announce(text);
  }, [text]);
}

/** The one live region of the page, in the document from the start, as screen readers expect it. */
export function StatusRegion(): ReactNode {
  const { text, count } = useSyncExternalStore(subscribe, () => current);
  return (
    <div role="status" className="visually-hidden">
      <span key={count}>{text}</span>
    </div>
  );
}
