import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../design/button.tsx';
import { Icon } from '../design/icons.tsx';
import { PageLink } from '../design/page-link.tsx';
import { Question } from '../design/question.tsx';
import { endDrafts } from '../draft/kept-drafts.ts';
import { hasDraftsInAnyTab } from '../draft/tabs-with-drafts.ts';
import { fetchJson } from '../service/requests.js';
import { useUser } from '../session/session.ts';
import styles from './account-actions.module.css';

export function AccountActions({ onDone }: { readonly onDone: () => void }): ReactNode {
  const { t } = useTranslation();
  const person = useUser()?.id;
  const [failed, setFailed] = useState(false);
  const [isAsked, setAsked] = useState(false);
  const logOut = async () => {
    setAsked(false);
    try {
      await fetchJson('/logout', { method: 'POST' });
    } catch {
      setFailed(true);
      return;
    }
    endDrafts(person);
    // Another document: nothing that was read stays in memory.
    location.assign('/');
  };
  return (
    <>
      <div className={styles.actions}>
        <PageLink href="/sessions" button="quiet" onClick={onDone}>
          <Icon name="devices" />
          {t('app.sessions')}
        </PageLink>
        <Button kind="quiet" onPress={async () => ((await hasDraftsInAnyTab(person)) ? setAsked(true) : logOut())}>
          <Icon name="leave" />
          {t('app.logOut')}
        </Button>
        {failed && <p role="alert">{t('failure.unavailable.heading')}</p>}
      </div>
      <Question
        isOpen={isAsked}
        heading={t('app.logOutUnsaved')}
        cancel={t('app.cancel')}
        onCancel={() => setAsked(false)}
        confirm={t('app.logOut')}
        onConfirm={logOut}
      >
        <p>{t('app.logOutUnsavedText')}</p>
      </Question>
    </>
  );
}
