import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../design/button.tsx';
import { Question } from '../design/dialog.tsx';
import { announce, ErrorPanel, Loading, Notice } from '../design/panels.tsx';
import { RelativeTime } from '../design/relative-time.tsx';
import { endDrafts } from '../draft/kept-drafts.ts';
import { hasDraftsInAnyTab, updateDraftLock } from '../draft/tabs-with-drafts.ts';
import { Filled, UNFILLED } from '../i18n/filled.tsx';
import { usePageTitle } from '../service/identity.ts';
import { fetchJson } from '../service/requests.ts';
import { noteSessionOver, useUser } from '../session/session.ts';
import styles from './sessions.module.css';

export function SessionsPage(): ReactNode {
  const { t } = useTranslation(['sessions', 'common']);
  const person = useUser()?.id;
  const client = useQueryClient();
  const [asked, setAsked] = useState<OwnSession | 'all'>();
  const [hasDrafts, setHasDrafts] = useState(false);
  usePageTitle(t('title'));
  const sessions = useQuery(sessionsQuery);
  const noteLogout = () => {
    endDrafts(person);
    updateDraftLock(person);
    noteSessionOver(client);
  };
  const ending = useMutation({
    mutationFn: endSession,
    onSuccess: async (_, { device, isCurrent }) => {
      if (isCurrent) return noteLogout();
      announce(t('ended', { device: device || t('unknownDevice') }));
      await sessions.refetch();
    },
  });
  const endingAll = useMutation({
    mutationFn: endAllSessions,
    onSuccess: noteLogout,
    onSettled: () => setAsked(undefined),
  });
  const end = async (session: OwnSession) =>
    session.isCurrent && (await hasDraftsInAnyTab(person)) ? setAsked(session) : ending.mutate(session);
  const askAboutAll = async () => {
    setHasDrafts(await hasDraftsInAnyTab(person));
    setAsked('all');
  };
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
            <Button kind="danger-question" onPress={askAboutAll}>
              {t('endAll')}
            </Button>
          </div>
        </>
      )}
      <Question
        isOpen={asked === 'all'}
        heading={t('allHeading')}
        cancel={t('cancel')}
        onCancel={() => setAsked(undefined)}
        confirm={t('endAll')}
        onConfirm={() => endingAll.mutate()}
        isDanger
        isPending={endingAll.isPending}
      >
        <p>{t('allText')}</p>
        {hasDrafts && <p>{t('allUnsaved')}</p>}
      </Question>
      <Question
        isOpen={asked !== undefined && asked !== 'all'}
        heading={t('app.logOutUnsaved', { ns: 'common' })}
        cancel={t('cancel')}
        onCancel={() => setAsked(undefined)}
        confirm={t('app.logOut', { ns: 'common' })}
        onConfirm={() => {
          setAsked(undefined);
          if (asked !== undefined && asked !== 'all') ending.mutate(asked);
        }}
      >
        <p>{t('app.logOutUnsavedText', { ns: 'common' })}</p>
      </Question>
    </div>
  );
}

interface SessionItemProps {
  readonly session: OwnSession;
  readonly isEnding: boolean;
  readonly onEnd: (session: OwnSession) => void;
}

function SessionItem({ session, isEnding, onEnd }: SessionItemProps): ReactNode {
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
          <Filled text={t('used', UNFILLED)} slots={{ time: <RelativeTime at={session.lastUsedAt} /> }} />
        </p>
        <p className={styles.text}>
          <Filled text={t('started', UNFILLED)} slots={{ time: <RelativeTime at={session.startedAt} /> }} />
        </p>
      </div>
      <Button aria-label={t('endName', { device })} isPending={isEnding} onPress={() => onEnd(session)}>
        {t('end')}
      </Button>
    </li>
  );
}

interface OwnSession {
  readonly id: string;
  readonly isCurrent: boolean;
  readonly startedAt: string;
  readonly lastUsedAt: string;
  /** The browser and the operating system, such as "Firefox on Linux"; empty: unknown. */
  readonly device: string;
}

const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: async ({ signal }) => {
    const sessions = await fetchJson<readonly OwnSession[]>('/sessions', { signal });
    return sessions.toSorted(
      (a, b) => Number(b.isCurrent) - Number(a.isCurrent) || b.lastUsedAt.localeCompare(a.lastUsedAt),
    );
  },
});

function endSession({ id }: OwnSession): Promise<void> {
  return fetchJson(`/sessions/${encodeURIComponent(id)}`, { method: 'DELETE' });
}

function endAllSessions(): Promise<void> {
  return fetchJson('/sessions', { method: 'DELETE' });
}
