import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { Session } from '../session/read-session.ts';
import { startSession } from '../session/session.ts';
import { createQueryClient } from './query-client.ts';
import { router } from './router.tsx';

/** The pages of a person who is logged in. */
export function App({ session }: { readonly session: Session }): ReactNode {
  const [client] = useState(() => {
    const created = createQueryClient();
    startSession(created, session);
    return created;
  });
  return (
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  );
}
