import { type ComponentType, type ReactNode, useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorPanel } from '../design/error-panel.tsx';
import { PlainLink } from '../design/plain-link.tsx';
import { Loading } from '../design/skeleton.tsx';
import { Frame } from '../layout/frame.tsx';
import { Preferences } from '../layout/preferences.tsx';
import { LoginPage } from '../session/login-page.tsx';
import { readSession, type Session } from '../session/read-session.ts';
import { usePageTitle } from './page-title.ts';

type AppComponent = ComponentType<{ readonly session: Session }>;

type Started =
  | { readonly is: 'loading' | 'logged-out' }
  | { readonly is: 'failed'; readonly error: unknown }
  | { readonly is: 'logged-in'; readonly session: Session; readonly App: AppComponent };

/** What is loaded first: the login. The rest of the program is loaded for people who are logged in. */
export function Start({ opened }: { readonly opened: Promise<Session | null> }): ReactNode {
  const [started, setStarted] = useState<Started>({ is: 'loading' });
  const start = useCallback(async (reading: Promise<Session | null>) => {
    try {
      const session = await reading;
      if (session === null) return setStarted({ is: 'logged-out' });
      const { App } = await loadApp();
      setStarted({ is: 'logged-in', session, App });
    } catch (error) {
      setStarted({ is: 'failed', error });
    }
  }, []);
  useEffect(() => void start(opened), [start, opened]);

  if (started.is === 'logged-in') return <started.App session={started.session} />;
  return <FirstPage started={started} onRetry={() => start(readSession())} />;
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
      {started.is !== 'logged-out' && <h1 className="visually-hidden">{t('app.name')}</h1>}
      {started.is === 'loading' && <Loading />}
      {started.is === 'logged-out' && <LoginPage />}
      {started.is === 'failed' && <ErrorPanel error={started.error} onRetry={onRetry} />}
    </Frame>
  );
}

/** Loads what follows the login. */
export function loadApp() {
  return import('./app.tsx');
}
