import { type ReactNode, startTransition, useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorPanel } from '../design/error-panel.tsx';
import { PlainLink } from '../design/plain-link.tsx';
import { PageLoading } from '../design/skeleton.tsx';
import { Frame } from '../layout/frame.tsx';
import { Preferences } from '../layout/preferences.tsx';
import { failureOf, isRetryable } from '../service/failure.js';
import { usePageTitle } from '../service/identity.js';
import { LoginPage } from '../session/login-page.tsx';
import { readSession, refusedLogin, type Session } from '../session/read-session.ts';
import { type LoadedPages, loadPages } from './load-pages.ts';

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
  // Another document: what this one has preloaded has failed as well, and the browser would use it as it is.
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
    return <App session={started.session} pages={pages} />;
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

interface LoadedApp {
  readonly App: typeof import('./app.tsx').App;
  readonly pages: LoadedPages | undefined;
}

/** Loads what follows the login: the list of guilds, or the router for all other pages. */
export async function loadApp(): Promise<LoadedApp> {
  const isList = location.pathname === '/';
  const [{ App }, pages] = await Promise.all([import('./app.tsx'), isList ? undefined : loadPages()]);
  return { App, pages };
}
