import { RouterProvider } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { PageOpener } from '../design/page-link.tsx';
import { router } from './router.tsx';

/** The page of the present address. */
export function Pages(): ReactNode {
  return <RouterProvider router={router} />;
}

/** Opens pages by their addresses, for what is outside `Pages`. */
export const opener: PageOpener = {
  open: (href) => void router.navigate({ href }),
  preload: (href) => void router.preloadRoute({ to: href }),
};
