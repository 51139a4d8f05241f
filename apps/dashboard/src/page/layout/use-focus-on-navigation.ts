import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';

/**
 * Moves the focus to the heading of a page after each navigation, as a browser does with a new document: screen readers read it out, and
 * Tab goes on from there.
 */
export function useFocusOnNavigation(): void {
  const router = useRouter();
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
        if (fromLocation === undefined || !pathChanged) return;
        const heading = document.querySelector<HTMLElement>('main h1');
        heading?.setAttribute('tabindex', '-1');
        (heading ?? document.querySelector<HTMLElement>('main'))?.focus({ preventScroll: true });
      }),
    [router],
  );
}
