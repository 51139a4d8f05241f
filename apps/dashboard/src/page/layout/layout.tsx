import { useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense, startTransition, useCallback, useEffect, useMemo, useState } from 'react';
import { type LoadedPages, loadPages } from '../app/load-pages.ts';
import { PageLink, PageOpenerContext } from '../design/page-link.tsx';
import { PageLoading } from '../design/skeleton.tsx';
import { GuildListPage } from '../guilds/guild-list-page.tsx';
import { guildsQuery } from '../guilds/guilds.ts';
import { useUser } from '../session/session.ts';
import { SessionOver } from '../session/session-over.tsx';
import { AccountActions } from './account-actions.tsx';
import { Frame } from './frame.tsx';
import { FrameContext } from './frame-context.ts';
import { Preferences } from './preferences.tsx';

interface LayoutProps {
  /** undefined: the list of guilds has been opened, and is shown before the other pages are loaded. */
  readonly opened: LoadedPages | undefined;
}

export function Layout({ opened }: LayoutProps): ReactNode {
  const user = useUser();
  // An element from the start: found when it is in the document, it would make everything be rendered twice.
  const [headerPlace] = useState(() => document.createElement('div'));
  const addPlace = useCallback((start: HTMLElement | null) => start?.append(headerPlace), [headerPlace]);
  const [showsList, setShowsList] = useState(opened === undefined);
  const [href, setHref] = useState(location.pathname + location.search);
  const onShown = useCallback((shown: string, isList: boolean) => {
    setHref(shown);
    if (!isList) setShowsList(false);
  }, []);
  const frame = useMemo(() => ({ headerPlace, showsList, onShown }), [headerPlace, showsList, onShown]);
  const pages = usePages(opened);
  return (
    <PageOpenerContext value={pages?.opener}>
      <Frame
        home={(name) => <PageLink href="/">{name}</PageLink>}
        start={<div ref={addPlace} />}
        end={<Preferences user={user}>{(close) => <AccountActions onDone={close} />}</Preferences>}
        notice={<SessionOver href={href} />}
      >
        {showsList && <GuildListPage />}
        {pages !== undefined && (
          <FrameContext value={frame}>
            <Suspense fallback={showsList ? null : <PageLoading />}>
              <pages.Pages />
            </Suspense>
          </FrameContext>
        )}
      </Frame>
    </PageOpenerContext>
  );
}

function usePages(opened: LoadedPages | undefined): LoadedPages | undefined {
  const [pages, setPages] = useState(opened);
  const { isFetched } = useQuery(guildsQuery);
  const isMissing = pages === undefined && isFetched;
  useEffect(() => {
    // Without them, the browser opens what is chosen.
    // In small steps, because the list is in use.
    if (isMissing)
      loadPages().then(
        (loaded) => startTransition(() => setPages(loaded)),
        () => undefined,
      );
  }, [isMissing]);
  return pages;
}
