import {
  createRootRoute,
  createRoute,
  createRouter,
  type ErrorComponentProps,
  lazyRouteComponent,
} from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorPanel } from '../design/error-panel.tsx';
import { Loading, PageLoading } from '../design/skeleton.tsx';
import { filtersOf } from '../history/filters.ts';
import { loadTexts, type Namespace } from '../i18n/i18n.ts';
import { ListPlace, PagePlace } from '../layout/page-place.tsx';
import { readSession } from '../session/read-session.ts';
import { NotFound } from './not-found.tsx';

/** Loads the texts of a page with the page: one that waits for them while it is rendered would show a placeholder first. */
const withTexts = (...namespaces: readonly Namespace[]) => ({
  loader: () => loadTexts(namespaces),
  staleTime: Number.POSITIVE_INFINITY,
});

/**
 * Returns a function that loads the module of a page. Where the service does not respond, the page says so: for a module that is
 * missing, the router loads the document again, and the browser would show an error of its own.
 */
const moduleOf =
  <T,>(load: () => Promise<T>) =>
  (): Promise<T> =>
    load().catch(async (error: unknown) => {
      await readSession();
      throw error;
    });

const root = createRootRoute({ component: PagePlace });

const list = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: ListPlace,
});

const sessions = createRoute({
  getParentRoute: () => root,
  path: '/sessions',
  component: lazyRouteComponent(
    moduleOf(() => import('../sessions/sessions-page.tsx')),
    'SessionsPage',
  ),
  ...withTexts('sessions'),
});

const guild = createRoute({
  getParentRoute: () => root,
  path: '/guilds/$guild',
  // State and input of the pages of one guild do not apply to another one.
  remountDeps: ({ params }) => params,
  component: lazyRouteComponent(
    moduleOf(() => import('../guilds/guild-frame.tsx')),
    'GuildFrame',
  ),
});

/** The frame of a guild has the heading, so the place of a page that is loading has none. */
const pageOfGuild = { getParentRoute: () => guild, pendingComponent: Loading };

const settings = createRoute({
  ...pageOfGuild,
  path: '/',
  component: lazyRouteComponent(
    moduleOf(() => import('../settings/settings-page.tsx')),
    'SettingsPage',
  ),
  ...withTexts('settings', 'shared'),
});

const history = createRoute({
  ...pageOfGuild,
  path: '/history',
  validateSearch: filtersOf,
  component: lazyRouteComponent(
    moduleOf(() => import('../history/history-page.tsx')),
    'HistoryPage',
  ),
  ...withTexts('history', 'settings', 'shared'),
});

const change = createRoute({
  ...pageOfGuild,
  path: '/history/$revision',
  component: lazyRouteComponent(
    moduleOf(() => import('../history/change-page.tsx')),
    'ChangePage',
  ),
  ...withTexts('history', 'settings', 'shared'),
});

const access = createRoute({
  ...pageOfGuild,
  path: '/access',
  component: lazyRouteComponent(
    moduleOf(() => import('../access/access-page.tsx')),
    'AccessPage',
  ),
  ...withTexts('access', 'settings', 'shared'),
});

const transfer = createRoute({
  ...pageOfGuild,
  path: '/transfer',
  component: lazyRouteComponent(
    moduleOf(() => import('../transfer/transfer-page.tsx')),
    'TransferPage',
  ),
  ...withTexts('transfer'),
});

const danger = createRoute({
  ...pageOfGuild,
  path: '/danger',
  component: lazyRouteComponent(
    moduleOf(() => import('../danger/danger-page.tsx')),
    'DangerPage',
  ),
  ...withTexts('danger', 'settings'),
});

const routeTree = root.addChildren([
  list,
  sessions,
  guild.addChildren([settings, history, change, access, transfer, danger]),
]);

/** The addresses of the page. Pages that are not the first one are loaded when they are opened, or when a link to them has the focus. */
export const router = createRouter({
  routeTree,
  defaultErrorComponent: Failed,
  defaultNotFoundComponent: NotFound,
  defaultPendingComponent: PageLoading,
  // Not for a list that was scrolled before the router was there.
  scrollRestoration: () => !isFirst || scrollY === 0,
  // Parameters are texts: read as JSON, as the router would, an id loses its last digits.
  parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
  stringifySearch: (search) => {
    const text = new URLSearchParams(Object.entries(search).map(([name, value]) => [name, String(value)])).toString();
    return text === '' ? '' : `?${text}`;
  },
});

let isFirst = true;
router.subscribe('onRendered', () => {
  // The router stores scroll positions when it receives scroll events. This position is older than the router.
  if (isFirst && scrollY > 0) document.dispatchEvent(new Event('scroll'));
  isFirst = false;
});

function Failed({ error }: ErrorComponentProps): ReactNode {
  const { t } = useTranslation();
  return (
    <>
      <h1 className="visually-hidden">{t('app.name')}</h1>
      <ErrorPanel error={error} onRetry={() => router.invalidate()} />
    </>
  );
}

declare module '@tanstack/react-router' {
  interface Register {
    readonly router: typeof router;
  }
}
