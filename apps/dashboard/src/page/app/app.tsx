import { MutationCache, QueryCache, QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import {
  type ComponentType,
  createContext,
  type ReactNode,
  Suspense,
  startTransition,
  useCallback,
  useEffect,
  useMemo,
  useState,
  useSyncExternalStore,
} from 'react';
import { useTranslation } from 'react-i18next';
import { Button, PlainLink } from '../design/button.tsx';
import { Question } from '../design/dialog.tsx';
import { Icon } from '../design/icons.tsx';
import { PageLink, type PageOpener, PageOpenerContext } from '../design/page-link.tsx';
import { Notice, PageLoading } from '../design/panels.tsx';
import { deleteEndedDrafts, endDrafts, keptDrafts, onLogout, tabStorage } from '../draft/kept-drafts.ts';
import { hasDraftsInAnyTab, updateDraftLock } from '../draft/tabs-with-drafts.ts';
import { GuildListPage } from '../guilds/guild-list-page.tsx';
import { guildsQuery, readLevelAgain } from '../guilds/guilds.ts';
import { failureOf, slugOf } from '../service/failure.ts';
import { fetchJson } from '../service/requests.ts';
import { loginUrl, type Session } from '../session/read-session.ts';
import { noteSessionOver, startSession, useSession, useUser } from '../session/session.ts';
import styles from './app.module.css';
import { Frame, Preferences } from './frame.tsx';

/** The frame around the pages of the router, which is shown before them. */
interface FrameContextValue {
  readonly headerPlace: HTMLElement | null;
  /** True: the frame itself shows the list of guilds, from the start until another page is opened. */
  readonly showsList: boolean;
  readonly onShown: (href: string, isList: boolean) => void;
}

export const FrameContext = createContext<FrameContextValue>({
  headerPlace: null,
  showsList: false,
  onShown() {},
});

export interface LoadedPages {
  readonly Pages: ComponentType;
  readonly opener: PageOpener;
}

interface LayoutProps {
  /** Undefined: the list of guilds is open, and is shown before the router is loaded. */
  readonly opened: LoadedPages | undefined;
  readonly loadPages: () => Promise<LoadedPages>;
}

export function App({ session, ...pages }: LayoutProps & { readonly session: Session }): ReactNode {
  const [client] = useState(() => {
    const created = createQueryClient();
    startSession(created, session);
    return created;
  });
  const person = session.user.id;
  // The tab may have drafts from before a reload.
  useEffect(() => updateDraftLock(person), [person]);
  useEffect(
    () =>
      onLogout(person, () => {
        deleteEndedDrafts();
        // Reloads the document, so that previously read or typed data does not stay on the page.
        location.reload();
      }),
    [person],
  );
  return (
    <QueryClientProvider client={client}>
      <Layout {...pages} />
    </QueryClientProvider>
  );
}

function Layout({ opened, loadPages }: LayoutProps): ReactNode {
  const user = useUser();
  // An element that exists from the start: looking it up in the document would render everything twice.
  const [headerPlace] = useState(() => document.createElement('div'));
  const addPlace = useCallback((start: HTMLElement | null) => start?.append(headerPlace), [headerPlace]);
  const [showsList, setShowsList] = useState(opened === undefined);
  const [href, setHref] = useState(location.pathname + location.search);
  const onShown = useCallback((shown: string, isList: boolean) => {
    setHref(shown);
    if (!isList) setShowsList(false);
  }, []);
  const frame = useMemo(() => ({ headerPlace, showsList, onShown }), [headerPlace, showsList, onShown]);
  const pages = usePages(opened, loadPages);
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

function usePages(opened: LoadedPages | undefined, loadPages: LayoutProps['loadPages']): LoadedPages | undefined {
  const [pages, setPages] = useState(opened);
  const { isFetched } = useQuery(guildsQuery);
  const isMissing = pages === undefined && isFetched;
  useEffect(() => {
    // Until the router is loaded, the browser opens selected pages. Rendered in small steps, because the list is in
    // use.
    if (isMissing)
      loadPages().then(
        (loaded) => startTransition(() => setPages(loaded)),
        () => undefined,
      );
  }, [isMissing, loadPages]);
  return pages;
}

function AccountActions({ onDone }: { readonly onDone: () => void }): ReactNode {
  const { t } = useTranslation();
  const person = useUser()?.id;
  const [failed, setFailed] = useState(false);
  const [isAsked, setAsked] = useState(false);
  const logOut = async () => {
    setAsked(false);
    try {
      await fetchJson('/logout', { method: 'POST' });
    } catch {
      setFailed(true);
      return;
    }
    endDrafts(person);
    // Loads another document, so that data that was read does not stay in memory.
    location.assign('/');
  };
  return (
    <>
      <div className={styles.actions}>
        <PageLink href="/sessions" button="quiet" onClick={onDone}>
          <Icon name="devices" />
          {t('app.sessions')}
        </PageLink>
        <Button kind="quiet" onPress={async () => ((await hasDraftsInAnyTab(person)) ? setAsked(true) : logOut())}>
          <Icon name="leave" />
          {t('app.logOut')}
        </Button>
        {failed && <p role="alert">{t('failure.unavailable.heading')}</p>}
      </div>
      <Question
        isOpen={isAsked}
        heading={t('app.logOutUnsaved')}
        cancel={t('app.cancel')}
        onCancel={() => setAsked(false)}
        confirm={t('app.logOut')}
        onConfirm={logOut}
      >
        <p>{t('app.logOutUnsavedText')}</p>
      </Question>
    </>
  );
}

/** The notice above the page that the session is over. It does not change the page. `href` is the URL to return to. */
function SessionOver({ href }: { readonly href: string }): ReactNode {
  const { t } = useTranslation();
  const session = useSession();
  const person = useUser()?.id;
  const hasDrafts = useSyncExternalStore(tabStorage.subscribe, () => keptDrafts(person).length > 0);
  if (session?.state !== 'over') return null;
  return (
    <div className={styles.place}>
      <Notice tone="warning" role="alert">
        <h2>{t('session.over')}</h2>
        <p>{t(hasDrafts ? 'session.overKept' : 'session.overText')}</p>
        <PlainLink button="primary" href={loginUrl(href)}>
          {t('session.again')}
        </PlainLink>
      </Notice>
    </div>
  );
}

/** Time after which a page that could not be loaded is retried automatically. */
const RECOVERY_MS = 5_000;

/** Retries of a query that the service could not answer. */
const RETRIES = 2;

/**
 * Creates the query cache. A refusal because of the session ends it everywhere on the page; one because of permissions
 * causes them to be read again.
 */
function createQueryClient(): QueryClient {
  const onError = (error: unknown) => {
    if (failureOf(error).kind === 'session-over') noteSessionOver(client);
    if (slugOf(error) === 'insufficient-access') readLevelAgain(client);
  };
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: 15_000,
        // Without a connection a query fails at once, and the page shows the failure instead of waiting.
        networkMode: 'always',
        refetchInterval: ({ state }) => {
          const isOut = state.data === undefined && ['unavailable', 'offline'].includes(failureOf(state.error).kind);
          return state.error !== null && isOut ? RECOVERY_MS : false;
        },
        retry: (failures, error) => {
          const { kind, retryAfter } = failureOf(error);
          return kind === 'unavailable' && retryAfter === undefined && failures < RETRIES;
        },
      },
      mutations: { networkMode: 'always' },
    },
  });
  return client;
}
