import { Outlet, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Link } from '../design/link.tsx';
import { useUser } from '../session/session.ts';
import { SessionOver } from '../session/session-over.tsx';
import { AccountActions } from './account-actions.tsx';
import { Frame } from './frame.tsx';
import { GuildSwitcher } from './guild-switcher.tsx';
import { Preferences } from './preferences.tsx';
import { useFocusOnNavigation } from './use-focus-on-navigation.ts';

/** The frame of every page after the login. */
export function Layout(): ReactNode {
  useFocusOnNavigation();
  const user = useUser();
  const { guild } = useParams({ strict: false });
  return (
    <Frame
      home={(name) => <Link to="/">{name}</Link>}
      start={guild !== undefined && <GuildSwitcher guild={guild} />}
      end={<Preferences user={user}>{(close) => <AccountActions onDone={close} />}</Preferences>}
      notice={<SessionOver />}
    >
      <Outlet />
    </Frame>
  );
}
