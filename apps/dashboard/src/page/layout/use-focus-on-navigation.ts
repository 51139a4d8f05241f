import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';

/**
 * Moves the focus to the heading of a page after each navigation, as a browser does with a new document: screen readers read it out, and
 * Tab goes on from there. A page that is still loading has the focus itself, until its heading is there.
 */
export function useFocusOnNavigation(): void {
  const router = useRouter();
  useEffect(() => {
    let observer: MutationObserver | undefined;
    const unsubscribe = router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
      if (fromLocation === undefined || !pathChanged) return;
      observer?.disconnect();
      const main = document.querySelector<HTMLElement>('main');
      if (main === null || focusHeading(main)) return;
      main.focus({ preventScroll: true });
      observer = new MutationObserver(() => {
        // The person has gone on already.
        const isElsewhere = document.activeElement !== main;
        if (isElsewhere || focusHeading(main)) observer?.disconnect();
      });
      observer.observe(main, { childList: true, subtree: true });
    });
    return () => {
      unsubscribe();
      observer?.disconnect();
    };
  }, [router]);
}

/** Returns whether there is a heading. */
function focusHeading(main: HTMLElement): boolean {
  const heading = main.querySelector<HTMLElement>('h1');
  heading?.setAttribute('tabindex', '-1');
  heading?.focus({ preventScroll: true });
  return heading !== null;
}
