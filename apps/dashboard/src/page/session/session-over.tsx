import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Notice } from '../design/notice.tsx';
import { PlainLink } from '../design/plain-link.tsx';
import { loginUrl } from './read-session.ts';
import { useSession } from './session.ts';
import styles from './session-over.module.css';

/** The notice above the page that the session is over. It leaves what is on the page as it is. `href` is the address to return to. */
export function SessionOver({ href }: { readonly href: string }): ReactNode {
  const { t } = useTranslation();
  const session = useSession();
  if (session?.state !== 'over') return null;
  return (
    <div className={styles.place}>
      <Notice tone="warning" role="alert">
        <h2>{t('session.over')}</h2>
        <p>{t('session.overText')}</p>
        <PlainLink button="primary" href={loginUrl(href)}>
          {t('session.again')}
        </PlainLink>
      </Notice>
    </div>
  );
}
