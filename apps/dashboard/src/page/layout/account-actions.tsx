import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../design/button.tsx';
import { Icon } from '../design/icons.tsx';
import { PageLink } from '../design/page-link.tsx';
import { fetchJson } from '../service/fetch-json.ts';
import styles from './account-actions.module.css';

/** The person's sessions, and logging out. */
export function AccountActions({ onDone }: { readonly onDone: () => void }): ReactNode {
  const { t } = useTranslation();
  const [failed, setFailed] = useState(false);
  const logOut = async () => {
    try {
      await fetchJson('/logout', { method: 'POST' });
    } catch {
      setFailed(true);
      return;
    }
    // Another document: nothing that was read stays in memory.
    location.assign('/');
  };
  return (
    <div className={styles.actions}>
      <PageLink href="/sessions" button="quiet" onClick={onDone}>
        <Icon name="devices" />
        {t('app.sessions')}
      </PageLink>
      <Button kind="quiet" onPress={logOut}>
        <Icon name="leave" />
        {t('app.logOut')}
      </Button>
      {failed && <p role="alert">{t('failure.unavailable.heading')}</p>}
    </div>
  );
}
