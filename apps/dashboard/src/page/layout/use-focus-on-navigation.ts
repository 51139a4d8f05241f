import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';

/** Events of a person who goes on, whose focus is theirs from then on. */
const BY_PERSON = ['pointerdown', 'keydown'] as const;

/**
 * Moves the focus to the heading of a page after each navigation, as a browser does with a new document: screen readers read it out, and
 * Tab goes on from there. A page that is still loading has the focus itself, until its heading is there.
 */
export function useFocusOnNavigation(): void {
  const router = useRouter();
  useEffect(() => {
    let observer: MutationObserver | undefined;
    const stop = () => observer?.disconnect();
    for (const type of BY_PERSON) document.addEventListener(type, stop, { capture: true });
    const unsubscribe = router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
      if (fromLocation === undefined || !pathChanged) return;
      observer?.disconnect();
      const main = document.querySelector<HTMLElement>('main');
      if (main === null) return;
      if (!focusHeading(main)) main.focus({ preventScroll: true });
      observer = new MutationObserver(() => {
        const { activeElement } = document;
        // The page before goes when the next one is there: its heading has the focus until then, and for a moment after it is hidden.
        const isAtHeading = activeElement?.tagName === 'H1';
        if (isAtHeading || activeElement === document.body || activeElement === main) focusHeading(main);
        // The person has gone on already.
        else observer?.disconnect();
      });
      observer.observe(main, { childList: true, subtree: true });
    });
    return () => {
      unsubscribe();
      stop();
      for (const type of BY_PERSON) document.removeEventListener(type, stop, { capture: true });
    };
  }, [router]);
}

function focusHeading(main: HTMLElement): boolean {
  const headings = [...main.querySelectorAll<HTMLElement>('h1:not([data-placeholder])')];
  const heading = headings.find((one) => one.getClientRects().length > 0);
  if (heading === undefined) return false;
  if (heading === document.activeElement) return true;
  heading.setAttribute('tabindex', '-1');
  heading.focus({ preventScroll: true });
  return true;
}
