import {
  createRootRoute,
  createRoute,
  createRouter,
  type ErrorComponentProps,
  lazyRouteComponent,
} from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ErrorPanel } from '../design/error-panel.tsx';
import { GuildListPage } from '../guilds/guild-list-page.tsx';
import { filtersOf } from '../history/filters.ts';
import { Layout } from '../layout/layout.tsx';
import { NotFound } from './not-found.tsx';

const root = createRootRoute({ component: Layout });

const list = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: GuildListPage,
});

const sessions = createRoute({
  getParentRoute: () => root,
  path: '/sessions',
  component: lazyRouteComponent(() => import('../sessions/sessions-page.tsx'), 'SessionsPage'),
});

const guild = createRoute({
  getParentRoute: () => root,
  path: '/guilds/$guild',
  component: lazyRouteComponent(() => import('../guilds/guild-frame.tsx'), 'GuildFrame'),
});

const settings = createRoute({
  getParentRoute: () => guild,
  path: '/',
  component: lazyRouteComponent(() => import('../settings/settings-page.tsx'), 'SettingsPage'),
});

const history = createRoute({
  getParentRoute: () => guild,
  path: '/history',
  validateSearch: filtersOf,
  component: lazyRouteComponent(() => import('../history/history-page.tsx'), 'HistoryPage'),
});

const change = createRoute({
  getParentRoute: () => guild,
  path: '/history/$revision',
  component: lazyRouteComponent(() => import('../history/change-page.tsx'), 'ChangePage'),
});

const transfer = createRoute({
  getParentRoute: () => guild,
  path: '/transfer',
  component: lazyRouteComponent(() => import('../transfer/transfer-page.tsx'), 'TransferPage'),
});

const danger = createRoute({
  getParentRoute: () => guild,
  path: '/danger',
  component: lazyRouteComponent(() => import('../danger/danger-page.tsx'), 'DangerPage'),
});

const routeTree = root.addChildren([list, sessions, guild.addChildren([settings, history, change, transfer, danger])]);

/** The addresses of the page. Pages that are not the first one are loaded when they are opened, or when a link to them has the focus. */
export const router = createRouter({
  routeTree,
  defaultErrorComponent: Failed,
  defaultNotFoundComponent: NotFound,
  scrollRestoration: true,
  // Parameters are texts: read as JSON, as the router would, an id loses its last digits.
  parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
  stringifySearch: (search) => {
    const text = new URLSearchParams(Object.entries(search).map(([name, value]) => [name, String(value)])).toString();
    return text === '' ? '' : `?${text}`;
  },
});

/** A page that threw an error. */
function Failed({ error, reset }: ErrorComponentProps): ReactNode {
  return <ErrorPanel error={error} onRetry={reset} />;
}

declare module '@tanstack/react-router' {
  interface Register {
    readonly router: typeof router;
  }
}
