import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Card } from '../design/card.tsx';
import { Icon } from '../design/icons.tsx';
import { Notice } from '../design/notice.tsx';
import { PlainLink } from '../design/plain-link.tsx';
import { Logo } from '../layout/logo.tsx';
import { appIcon } from '../service/identity.js';
import styles from './login-page.module.css';
import { loginUrl, refusedLogin } from './read-session.ts';

const OUTCOMES = ['failed', 'denied', 'expired', 'limited'] as const;
const POINTS = [
  ['live', 'check'],
  ['together', 'people'],
  ['undo', 'undo'],
] as const;

/**
 * The introduction, and the one button that logs in. The same page takes the place of every other one before the login.
 */
export function LoginPage(): ReactNode {
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
