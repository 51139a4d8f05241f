import { RouterProvider } from '@tanstack/react-router';
import { memo, type ReactNode } from 'react';
import type { PageOpener } from '../design/page-link.tsx';
import { router } from './router.tsx';

/** The page of the present address. The frame around it is rendered more often. */
export const Pages = memo(function Pages(): ReactNode {
  return <RouterProvider router={router} />;
});

/**
 * Resolves when the page of the first address is loaded. Rendered before that, the router would show a placeholder, and React shows
 * what comes after one a third of a second later at the earliest.
 */
export const firstPage: Promise<void> = router.load();

/** Opens pages by their addresses, for what is outside `Pages`. */
export const opener: PageOpener = {
  open: (href) => void router.navigate({ href }),
  preload: (href) => void router.preloadRoute({ to: href }),
};
