import {
  createRootRoute,
  createRoute,
  createRouter,
  type ErrorComponentProps,
  lazyRouteComponent,
  RouterProvider,
} from '@tanstack/react-router';
import { memo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../design/empty-state.tsx';
import { Link } from '../design/link.tsx';
import type { PageOpener } from '../design/page-link.tsx';
import { ErrorPanel, Loading, PageLoading } from '../design/panels.tsx';
import { filtersOf } from '../history/filters.ts';
import { loadTexts, type Namespace } from '../i18n/i18n.ts';
import { usePageTitle } from '../service/identity.ts';
import { readSession } from '../session/read-session.ts';
import { ListPlace, PagePlace } from './page-place.tsx';

/** Loads the texts of a page with the page: waiting for them during rendering would show a placeholder first. */
const withTexts = (...namespaces: readonly Namespace[]) => ({
  loader: () => loadTexts(namespaces),
  staleTime: Number.POSITIVE_INFINITY,
});

/**
 * Returns a lazily loaded component. If the service does not respond, the page reports it: for a missing module, the
 * router would reload the document, and the browser would show its own error.
 */
function page<Name extends string>(load: () => Promise<Record<Name, () => ReactNode>>, name: Name) {
  const loadIfServed = () =>
    load().catch(async (error: unknown) => {
      await readSession();
      throw error;
    });
  return lazyRouteComponent(loadIfServed, name);
}

const root = createRootRoute({ component: PagePlace });

const list = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: ListPlace,
});

const sessions = createRoute({
  getParentRoute: () => root,
  path: '/sessions',
  component: page(() => import('../sessions/sessions-page.tsx'), 'SessionsPage'),
  ...withTexts('sessions'),
});

const guild = createRoute({
  getParentRoute: () => root,
  path: '/guilds/$guild',
  // State and input of the pages of one guild do not apply to another one.
  remountDeps: ({ params }) => params,
  component: page(() => import('../guilds/guild-frame.tsx'), 'GuildFrame'),
});

/** The frame of a guild contains the heading, so the placeholder of a loading page has none. */
const pageOfGuild = { getParentRoute: () => guild, pendingComponent: Loading };

/** The settings are one page with several URLs, so that typed values are kept between them. */
const settings = createRoute({
  ...pageOfGuild,
  id: 'settings',
  validateSearch: ({ setting }: Readonly<Record<string, unknown>>): { readonly setting?: string } =>
    typeof setting === 'string' ? { setting } : {},
  component: page(() => import('../settings/settings-page.tsx'), 'SettingsPage'),
  ...withTexts('settings', 'shared'),
});

const firstSettings = createRoute({ getParentRoute: () => settings, path: '/' });

const settingsOfGroup = createRoute({ getParentRoute: () => settings, path: '/settings/{-$group}' });

const history = createRoute({
  ...pageOfGuild,
  path: '/history',
  validateSearch: filtersOf,
  component: page(() => import('../history/history-page.tsx'), 'HistoryPage'),
  ...withTexts('history', 'settings', 'shared'),
});

const change = createRoute({
  ...pageOfGuild,
  path: '/history/$revision',
  component: page(() => import('../history/change-page.tsx'), 'ChangePage'),
  ...withTexts('history', 'settings', 'shared'),
});

const access = createRoute({
  ...pageOfGuild,
  path: '/access',
  component: page(() => import('../access/access-page.tsx'), 'AccessPage'),
  ...withTexts('access', 'settings', 'shared'),
});

const transfer = createRoute({
  ...pageOfGuild,
  path: '/transfer',
  component: page(() => import('../transfer/transfer-page.tsx'), 'TransferPage'),
  ...withTexts('transfer'),
});

const danger = createRoute({
  ...pageOfGuild,
  path: '/danger',
  component: page(() => import('../danger/danger-page.tsx'), 'DangerPage'),
  ...withTexts('danger', 'settings'),
});

const routeTree = root.addChildren([
  list,
  sessions,
  guild.addChildren([
    settings.addChildren([firstSettings, settingsOfGroup]),
    history,
    change,
    access,
    transfer,
    danger,
  ]),
]);

/**
 * The routes of the page. Pages other than the first are loaded when they are opened, or when a link to them has the
 * focus.
 */
const router = createRouter({
  routeTree,
  defaultErrorComponent: Failed,
  defaultNotFoundComponent: NotFound,
  defaultPendingComponent: PageLoading,
  // Not if the list was scrolled before the router was loaded.
  scrollRestoration: () => !isFirst || scrollY === 0,
  // Parameters are strings: parsed as JSON, the router's default, an id would lose its last digits.
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

/** The page of the present URL. The frame around it is rendered more often. */
export const Pages = memo(function Pages(): ReactNode {
  return <RouterProvider router={router} />;
});

/**
 * Resolves when the page of the first URL is loaded. If rendered earlier, the router would show a placeholder, and
 * React delays the content after a placeholder by at least a third of a second.
 */
export const firstPage: Promise<void> = router.load();

/** Opens pages by their URLs, for components outside `Pages`. */
export const opener: PageOpener = {
  open: (href) => void router.navigate({ href }),
  preload: (href) => void router.preloadRoute({ to: href }),
};

function NotFound(): ReactNode {
  const { t } = useTranslation();
  usePageTitle(t('failure.not-found.heading'));
  return (
    <EmptyState icon="search">
      <h1>{t('failure.not-found.heading')}</h1>
      <p>{t('failure.not-found.text')}</p>
      <div>
        <Link to="/" button="primary">
          {t('failure.back')}
        </Link>
      </div>
    </EmptyState>
  );
}
