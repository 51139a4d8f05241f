import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePageTitle } from '../app/page-title.ts';
import { Button } from '../design/button.tsx';
import { Dialog } from '../design/dialog.tsx';
import { ErrorPanel } from '../design/error-panel.tsx';
import { Notice } from '../design/notice.tsx';
import { Loading } from '../design/skeleton.tsx';
import { announce } from '../design/status-region.tsx';
import { noteSessionOver } from '../session/session.ts';
import { endAllSessions, endSession, type OwnSession, sessionsQuery } from './own-sessions.ts';
import { SessionItem } from './session-item.tsx';
import styles from './sessions.module.css';

/** Where the person is logged in, to end it there. */
export function SessionsPage(): ReactNode {
  const { t } = useTranslation('sessions');
  const client = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  usePageTitle(t('title'));
  const sessions = useQuery(sessionsQuery);
  const ending = useMutation({
    mutationFn: endSession,
    onSuccess: async (_, { device, isCurrent }) => {
      if (isCurrent) return noteSessionOver(client);
      announce(t('ended', { device: device || t('unknownDevice') }));
      await sessions.refetch();
    },
  });
  const endingAll = useMutation({
    mutationFn: endAllSessions,
    onSuccess: () => noteSessionOver(client),
    onSettled: () => setAsking(false),
  });
  const end = (session: OwnSession) => ending.mutate(session);
  const hasFailed = ending.isError || endingAll.isError;
  return (
    <div className={styles.page}>
      <h1>{t('title')}</h1>
      <p className={styles.text}>{t('intro')}</p>
      {hasFailed && (
        <Notice tone="danger" role="alert">
          <p>{t('failed')}</p>
        </Notice>
      )}
      {sessions.isPending && <Loading />}
      {sessions.data === undefined && sessions.error !== null && (
        <ErrorPanel error={sessions.error} onRetry={sessions.refetch} />
      )}
      {sessions.data !== undefined && (
        <>
          {/* biome-ignore lint/a11y/noRedundantRoles: Safari drops the role of a list without markers. */}
          <ul role="list" className={styles.list}>
            {sessions.data.map((session) => (
              <SessionItem
                key={session.id}
                session={session}
                isEnding={ending.isPending && ending.variables.id === session.id}
                onEnd={end}
              />
            ))}
          </ul>
          <div>
            <Button kind="danger-question" onPress={() => setAsking(true)}>
              {t('endAll')}
            </Button>
          </div>
        </>
      )}
      <Dialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        heading={t('allHeading')}
        isAlert
        actions={
          <>
            <Button onPress={() => setAsking(false)}>{t('cancel')}</Button>
            <Button kind="danger" isPending={endingAll.isPending} onPress={() => endingAll.mutate()}>
              {t('endAll')}
            </Button>
          </>
        }
      >
        <p>{t('allText')}</p>
      </Dialog>
    </div>
  );
}
