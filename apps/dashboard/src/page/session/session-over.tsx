import { useRouterState } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { PlainLink } from '../design/link.tsx';
import { Notice } from '../design/notice.tsx';
import { loginUrl, useSession } from './session.ts';
import styles from './session-over.module.css';

/** Says above the page that the session is over, and leaves what is on the page as it is. */
export function SessionOver(): ReactNode {
  const { t } = useTranslation();
  const { data } = useSession();
  const href = useRouterState({ select: ({ location }) => location.href });
  if (data?.state !== 'over') return null;
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
