import { Outlet } from '@tanstack/react-router';
import { type ReactNode, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorPanel } from '../design/error-panel.tsx';
import { Loading } from '../design/skeleton.tsx';
import { StatusRegion } from '../design/status-region.tsx';
import { LoginPage } from '../session/login-page.tsx';
import { useSession } from '../session/session.ts';
import { SessionOver } from '../session/session-over.tsx';
import { Header } from './header.tsx';
import styles from './layout.module.css';
import { useFocusOnNavigation } from './use-focus-on-navigation.ts';

/** The frame of every page. Before a login, the login takes the place of all of them. */
export function Layout(): ReactNode {
  const { t } = useTranslation();
  useFocusOnNavigation();
  return (
    <>
      <a href="#main" className={styles.skip}>
        {t('app.skip')}
      </a>
      <Header />
      <SessionOver />
      <main id="main" tabIndex={-1} className={styles.main}>
        <Suspense fallback={<Loading />}>
          <Content />
        </Suspense>
      </main>
      <StatusRegion />
    </>
  );
}

function Content(): ReactNode {
  const { data, error, refetch } = useSession();
  if (data === undefined) return error === null ? <Loading /> : <ErrorPanel error={error} onRetry={refetch} />;
  return data.state === 'none' ? <LoginPage /> : <Outlet />;
}
