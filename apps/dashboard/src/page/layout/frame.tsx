import { type ReactNode, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { PlainLink } from '../design/plain-link.tsx';
import { PageLoading } from '../design/skeleton.tsx';
import { StatusRegion } from '../design/status-region.tsx';
import { operatorLinks, useAppName } from '../service/identity.js';
import styles from './frame.module.css';
import { Logo } from './logo.tsx';

interface FrameProps {
  /** The link to the first page, around the name of the page. */
  readonly home: (name: ReactNode) => ReactNode;
  readonly start?: ReactNode;
  readonly end: ReactNode;
  readonly notice?: ReactNode;
  readonly children: ReactNode;
}

/** The header of every page and the place below it. */
export function Frame({ home, start, end, notice, children }: FrameProps): ReactNode {
  const { t } = useTranslation();
  const name = (
    <span className={styles.home}>
      <Logo />
      <span className={styles.name}>{useAppName()}</span>
    </span>
  );
  return (
    <>
      <a href="#main" className={styles.skip}>
        {t('app.skip')}
      </a>
      <header className={styles.header}>
        <div className={styles.row}>
          {home(name)}
          {start}
          <span className={styles.space} />
          {end}
        </div>
      </header>
      {notice}
      <main id="main" tabIndex={-1} className={styles.main}>
        <Suspense fallback={<PageLoading />}>{children}</Suspense>
      </main>
      <Footer />
      <StatusRegion />
    </>
  );
}

/** The links of the operator to support and to the privacy policy. */
function Footer(): ReactNode {
  const { t } = useTranslation();
  const { support, privacy } = operatorLinks();
  if (support === undefined && privacy === undefined) return null;
  return (
    <footer className={styles.footer}>
      {support !== undefined && <PlainLink href={support}>{t('app.support')}</PlainLink>}
      {privacy !== undefined && <PlainLink href={privacy}>{t('app.privacy')}</PlainLink>}
    </footer>
  );
}
