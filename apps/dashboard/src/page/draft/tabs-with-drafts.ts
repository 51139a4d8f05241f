import { keptDrafts } from './kept-drafts.ts';

/** Releases the lock of this tab; undefined: the tab has no lock. */
let release: (() => void) | undefined;

/**
 * Holds a lock while this tab keeps drafts of a person, so that other tabs of the browser can detect it. Call it when
 * drafts may have changed. The lock ends with the tab. Browsers only have locks with https and at loopback addresses.
 * @see https://www.w3.org/TR/web-locks/
 */
export function updateDraftLock(person: string | undefined): void {
  if (keptDrafts(person).length === 0) {
    release?.();
    release = undefined;
  } else if (release === undefined && 'locks' in navigator) {
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    navigator.locks.request(lockName(person), { mode: 'shared' }, () => released).catch(() => {});
  }
}

export async function hasDraftsInAnyTab(person: string | undefined): Promise<boolean> {
  if (keptDrafts(person).length > 0) return true;
  try {
    const { held = [] } = await navigator.locks.query();
    return held.some(({ name }) => name === lockName(person));
  } catch {
    // The browser has no locks.
    return false;
  }
}

function lockName(person: string | undefined): string {
  return `drafts:${person}`;
}
