import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../design/button.tsx';
import { RelativeTime } from '../design/relative-time.tsx';
import type { OwnSession } from './own-sessions.ts';
import styles from './sessions.module.css';

interface SessionItemProps {
  readonly session: OwnSession;
  readonly isEnding: boolean;
  readonly onEnd: (session: OwnSession) => void;
}

export function SessionItem({ session, isEnding, onEnd }: SessionItemProps): ReactNode {
  const { t } = useTranslation('sessions');
  const device = session.device || t('unknownDevice');
  return (
    <li className={styles.item}>
      <div className={styles.what}>
        <h2 className={styles.device}>
          {device}
          {session.isCurrent && <span className={styles.badge}>{t('current')}</span>}
        </h2>
        <p className={styles.text}>
          {t('used', { time: '' })} <RelativeTime at={session.lastUsedAt} />
        </p>
        <p className={styles.text}>
          {t('started', { time: '' })} <RelativeTime at={session.startedAt} />
        </p>
      </div>
      <Button aria-label={t('endName', { device })} isPending={isEnding} onPress={() => onEnd(session)}>
        {t('end')}
      </Button>
    </li>
  );
}
