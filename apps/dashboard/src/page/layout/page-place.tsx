import { Outlet, useMatch, useParams, useRouterState } from '@tanstack/react-router';
import { type ReactNode, useContext, useLayoutEffect } from 'react';
import { createPortal } from 'react-dom';
import { GuildListPage } from '../guilds/guild-list-page.tsx';
import { FrameContext } from './frame-context.ts';
import { GuildSwitcher } from './guild-switcher.tsx';
import { useFocusOnNavigation } from './use-focus-on-navigation.ts';

export function PagePlace(): ReactNode {
  useFocusOnNavigation();
  const { headerPlace, onShown } = useContext(FrameContext);
  const { guild } = useParams({ strict: false });
  const isList = useMatch({ from: '/', shouldThrow: false }) !== undefined;
  const href = useRouterState({ select: ({ location }) => location.href });
  // Before the browser paints: the list that the frame has shown leaves when the page is there.
  useLayoutEffect(() => onShown(href, isList), [href, isList, onShown]);
  return (
    <>
      {headerPlace !== null && guild !== undefined && createPortal(<GuildSwitcher guild={guild} />, headerPlace)}
      <Outlet />
    </>
  );
}

/** The list of guilds after another page; the first time the frame shows it. */
export function ListPlace(): ReactNode {
  return useContext(FrameContext).showsList ? null : <GuildListPage />;
}
