import { type ReactNode, startTransition, useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PlainLink } from '../design/button.tsx';
import { Icon } from '../design/icons.tsx';
import { Card, ErrorPanel, Notice, PageLoading } from '../design/panels.tsx';
import { Logo } from '../design/picture.tsx';
import { failureOf, isRetryable } from '../service/failure.ts';
import { appIcon, usePageTitle } from '../service/identity.ts';
import { loginUrl, readSession, refusedLogin, type Session } from '../session/read-session.ts';
import type { LoadedPages } from './app.tsx';
import styles from './frame.module.css';
import { Frame, Preferences } from './frame.tsx';

const RECOVERY_MS = 5_000;

type Started =
  | { readonly is: 'loading' | 'logged-out' }
  | { readonly is: 'failed'; readonly error: unknown }
  | { readonly is: 'logged-in'; readonly session: Session; readonly app: LoadedApp };

/** The part that is loaded first: the login. The rest of the program is loaded for people who are logged in. */
export function Start({ opened }: { readonly opened: Promise<Session | null> }): ReactNode {
  const [started, setStarted] = useState<Started>({ is: 'loading' });
  useEffect(() => {
    const start = async () => {
      try {
        const session = await opened;
        // A session may exist without permission for this page.
        if (session === null || refusedLogin() !== null) return setStarted({ is: 'logged-out' });
        const app = await loadApp();
        // In small steps: at once, it would block a phone for a tenth of a second.
        startTransition(() => setStarted({ is: 'logged-in', session, app }));
      } catch (error) {
        setStarted({ is: 'failed', error });
      }
    };
    void start();
  }, [opened]);
  // Loads another document, because the preloads of this one have failed as well, and the browser would reuse them.
  const retry = useCallback(
    () =>
      readSession().then(
        () => location.reload(),
        (error: unknown) => setStarted({ is: 'failed', error }),
      ),
    [],
  );
  const isOut = started.is === 'failed' && isRetryable(failureOf(started.error));
  useEffect(() => {
    if (!isOut) return;
    const timer = setInterval(() => void retry(), RECOVERY_MS);
    return () => clearInterval(timer);
  }, [isOut, retry]);

  if (started.is === 'logged-in') {
    const { App, pages } = started.app;
    return <App session={started.session} opened={pages} loadPages={loadPages} />;
  }
  return <FirstPage started={started} onRetry={retry} />;
}

interface FirstPageProps {
  readonly started: Exclude<Started, { is: 'logged-in' }>;
  readonly onRetry: () => unknown;
}

function FirstPage({ started, onRetry }: FirstPageProps): ReactNode {
  const { t } = useTranslation();
  usePageTitle();
  return (
    <Frame home={(name) => <PlainLink href="/">{name}</PlainLink>} end={<Preferences />}>
      {started.is === 'failed' && <h1 className="visually-hidden">{t('app.name')}</h1>}
      {started.is === 'loading' && <PageLoading />}
      {started.is === 'logged-out' && <LoginPage />}
      {started.is === 'failed' && <ErrorPanel error={started.error} onRetry={onRetry} />}
    </Frame>
  );
}

type LoadedApp = Awaited<ReturnType<typeof loadApp>>;

/** Loads the part after the login: the list of guilds, or the router for all other pages. */
export async function loadApp() {
  const isList = location.pathname === '/';
  const [{ App }, pages] = await Promise.all([import('./app.tsx'), isList ? undefined : loadPages()]);
  return { App, pages };
}

/** Loads the router, which the list of guilds does not need, and the page of the URL. */
async function loadPages(): Promise<LoadedPages> {
  const { Pages, opener, firstPage } = await import('./router.tsx');
  await firstPage;
  return { Pages, opener };
}

const OUTCOMES = ['failed', 'denied', 'expired', 'limited'] as const;
const POINTS = [
  ['live', 'check'],
  ['together', 'people'],
  ['undo', 'undo'],
] as const;

/** The introduction, with the button that logs in. Before the login, it replaces every other page. */
function LoginPage(): ReactNode {
  const { t } = useTranslation();
  const { pathname, search } = location;
  const query = new URLSearchParams(search);
  const refused = refusedLogin();
  const outcome = OUTCOMES.find((one) => one === (refused ?? query.get('login')));
  const isFirstPage = pathname === '/' || refused !== null;
  return (
    <div className={styles.page}>
      {outcome !== undefined && (
        <div className={styles.outcome}>
          <Notice tone={outcome === 'denied' ? 'info' : 'warning'} role="alert">
            <p>{t(`login.${outcome}`)}</p>
          </Notice>
        </div>
      )}
      <div className={styles.start}>
        {appIcon() !== undefined && <Logo size="4rem" />}
        <h1>{t('login.heading')}</h1>
        <p className={styles.lead}>{t('login.lead')}</p>
        {!isFirstPage && <p>{t('login.deepLink')}</p>}
        <PlainLink
          button="primary"
          className={styles.button ?? ''}
          href={loginUrl(isFirstPage ? (query.get('to') ?? '/') : `${pathname}${search}`)}
        >
          {t('login.button')}
        </PlainLink>
        <p className={styles.privacy}>{t('login.privacy')}</p>
      </div>
      <Card>
        {/* biome-ignore lint/a11y/noRedundantRoles: Safari drops the role of a list without markers. */}
        <ul role="list" className={styles.points}>
          {POINTS.map(([point, icon]) => (
            <li key={point}>
              <span className={styles.mark}>
                <Icon name={icon} />
              </span>
              {t(`login.points.${point}`)}
            </li>
          ))}
        </ul>
      </Card>
    </div>
  );
}
