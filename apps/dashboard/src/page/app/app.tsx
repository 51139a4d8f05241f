import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { deleteEndedDrafts, onLogout } from '../draft/kept-drafts.ts';
import { updateDraftLock } from '../draft/tabs-with-drafts.ts';
import { Layout } from '../layout/layout.tsx';
import type { Session } from '../session/read-session.ts';
import { startSession } from '../session/session.ts';
import type { LoadedPages } from './load-pages.ts';
import { createQueryClient } from './query-client.ts';

interface AppProps {
  readonly session: Session;
  /** undefined: the list of guilds has been opened, and is shown before the router is loaded. */
  readonly pages: LoadedPages | undefined;
}

export function App({ session, pages }: AppProps): ReactNode {
  const [client] = useState(() => {
    const created = createQueryClient();
    startSession(created, session);
    return created;
  });
  const person = session.user.id;
  // The tab may keep drafts from before a reload.
  useEffect(() => updateDraftLock(person), [person]);
  useEffect(
    () =>
      onLogout(person, () => {
        deleteEndedDrafts();
        // Another document: nothing that was read or typed stays on the page.
        location.reload();
      }),
    [person],
  );
  return (
    <QueryClientProvider client={client}>
      <Layout opened={pages} />
    </QueryClientProvider>
  );
}
