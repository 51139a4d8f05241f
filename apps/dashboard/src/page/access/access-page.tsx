import type { GrantedLevel } from '@guild-settings/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../design/button.tsx';
import { Link } from '../design/link.tsx';
import { announce, Card, ErrorPanel, Loading, Notice } from '../design/panels.tsx';
import { useGuild, useLevel } from '../guilds/guilds.ts';
import { useGuildEvents } from '../guilds/use-guild-events.ts';
import { nameQuery } from '../people/names.ts';
import { failureOf, problemOf, slugOf } from '../service/failure.ts';
import { usePageTitle } from '../service/identity.ts';
import { useUser } from '../session/session.ts';
import { LeaveQuestion } from '../settings/leave-question.tsx';
import styles from './access.module.css';
import {
  type AccessEdits,
  type AccessList,
  accessQuery,
  changesList,
  mayChangeAccess,
  saveAccess,
  withEdits,
} from './access-list.ts';
import { AccessTable, AddSubject, useSubjectText } from './access-table.tsx';

const route = getRouteApi('/guilds/$guild/access');

/** The people and roles besides managers with access to a guild. Only managers change the list. */
export function AccessPage(): ReactNode {
  // All texts of the page: loading some later would unmount it, and lose the focus.
  const { t } = useTranslation(['access', 'settings', 'common', 'shared']);
  const { guild } = route.useParams();
  usePageTitle(t('nav.access', { ns: 'common' }), useGuild(guild)?.name);
  const level = useLevel(guild);
  const { data, error, refetch } = useQuery({ ...accessQuery(guild), refetchOnWindowFocus: 'always' });
  return (
    <div className={styles.page}>
      <p className={styles.intro}>{t('intro')}</p>
      {error !== null && (
        <ErrorPanel error={error} onRetry={refetch}>
          <Link to="/">{t('failure.back', { ns: 'common' })}</Link>
        </ErrorPanel>
      )}
      {error === null && (data === undefined || level === undefined) && <Loading />}
      {data !== undefined && level !== undefined && failureOf(error).kind !== 'forbidden' && (
        <>
          <Card aria-labelledby="entries">
            <h2 id="entries">{t('heading')}</h2>
            {level === 'manager' ? <AccessForm guild={guild} theirs={data} /> : <Followed guild={guild} />}
          </Card>
          <LevelsTable />
        </>
      )}
    </div>
  );
}

function Followed({ guild }: { readonly guild: string }): ReactNode {
  const { data, refetch } = useQuery(accessQuery(guild));
  useGuildEvents(guild, ({ type }) => {
    if (mayChangeAccess(type)) void refetch();
  });
  return data && <AccessTable guild={guild} entries={data.entries} />;
}

/** The access list for managers: additions, levels and removals, with one button that saves them together. */
function AccessForm({ guild, theirs }: { readonly guild: string; readonly theirs: AccessList }): ReactNode {
  const { t } = useTranslation(['access', 'settings']);
  const draft = useAccessDraft(guild, theirs);
  const { entries, hasChanges, saving } = draft;
  const textOf = useSubjectText(guild, entries);
  const list = useRef<HTMLDivElement>(null);
  const end = useRef<HTMLDivElement>(null);
  useFocusAfter(end, hasChanges);
  const set = (subject: string, level: GrantedLevel | null) => {
    if (level === null) {
      announce(t('removed', { who: textOf(subject) }));
      // The button disappears, and would take the focus with it.
      list.current?.focus();
    }
    draft.set(subject, level);
  };
  return (
    <>
      <div ref={list} tabIndex={-1} className={styles.place}>
        <AccessTable guild={guild} entries={entries} onSet={set} />
      </div>
      <AddSubject guild={guild} entries={entries} onAdd={(subject) => draft.set(subject, 'viewer')} />
      <div ref={end} tabIndex={-1} className={styles.end}>
        {saving.isSuccess && !hasChanges && (
          <Notice tone="success">
            <p>{t('saved')}</p>
          </Notice>
        )}
        {hasChanges && (
          <>
            <Obstacle error={saving.error} isOvertaken={draft.isOvertaken} onRetry={draft.save} />
            <div className={styles.actions}>
              <p>{t('unsaved')}</p>
              <Button kind="quiet" onPress={draft.discard}>
                {t('bar.discard', { ns: 'settings' })}
              </Button>
              <Button kind="primary" isPending={saving.isPending} onPress={draft.save}>
                {t(saving.isPending ? 'bar.saving' : 'bar.save', { ns: 'settings' })}
              </Button>
            </div>
          </>
        )}
      </div>
      <LeaveQuestion
        path={`/guilds/${guild}/access`}
        hasChanges={hasChanges}
        losesByUnload={() => true}
        text={t('leaveText')}
      />
    </>
  );
}

/** Moves the focus to a place when its buttons, one of which had the focus, disappear with the last edit. */
function useFocusAfter(place: RefObject<HTMLElement | null>, hasChanges: boolean): void {
  const hadChanges = useRef(false);
  useEffect(() => {
    if (hadChanges.current && !hasChanges && document.activeElement === document.body) place.current?.focus();
    hadChanges.current = hasChanges;
  }, [place, hasChanges]);
}

interface ObstacleProps {
  readonly error: unknown;
  readonly isOvertaken: boolean;
  readonly onRetry: () => void;
}

/** The reason why the list is not saved yet. */
function Obstacle({ error, isOvertaken, onRetry }: ObstacleProps): ReactNode {
  const { t } = useTranslation('access');
  const text = (tone: 'warning' | 'danger', what: string) => (
    <Notice tone={tone} role="alert">
      <p>{what}</p>
    </Notice>
  );
  switch (slugOf(error)) {
    case 'revision-mismatch':
      return text('warning', t('overtaken'));
    case 'bot-token-missing':
      return text('danger', t('rolesUnknown'));
    case 'invalid-request': {
      const messages = problemOf(error)?.issues?.map(({ message }) => message) ?? [];
      return text('danger', t('refused', { detail: messages.join('; ') }));
    }
    default:
      if (error !== null) return <ErrorPanel error={error} onRetry={onRetry} />;
      return isOvertaken && text('warning', t('overtaken'));
  }
}

const NONE: AccessEdits = new Map();

/**
 * An access list as a draft, which is saved as a whole. Changes by others are read meanwhile, and shown with the edits
 * applied.
 */
function useAccessDraft(guild: string, theirs: AccessList) {
  const { t } = useTranslation('access');
  const client = useQueryClient();
  const user = useUser();
  const [edits, setEdits] = useState(NONE);
  const [isOvertaken, setOvertaken] = useState(false);
  const { queryKey } = accessQuery(guild);
  const entries = withEdits(theirs.entries, edits);
  const hasChanges = changesList(theirs.entries, edits);
  const saving = useMutation({
    mutationFn: (_sent: AccessEdits) => saveAccess(guild, entries, theirs),
    onSuccess(list, sent) {
      client.setQueryData(queryKey, list);
      setEdits((now) => new Map([...now].filter(([subject, level]) => sent.get(subject) !== level)));
      setOvertaken(false);
      announce(t('saved'));
      // A person who was entered by id now has a name.
      const names = { queryKey: nameQuery(guild, '').queryKey.slice(0, 2) };
      void client.invalidateQueries({ ...names, predicate: ({ state }) => state.data === null });
    },
    // Another manager was faster, or the response was lost: shows the list of the service with the edits applied.
    onError: () => client.invalidateQueries({ queryKey }),
  });
  useGuildEvents(guild, (event) => {
    if (!mayChangeAccess(event.type)) return;
    if (event.type === 'access' && event.actor.id !== user?.id) setOvertaken(hasChanges);
    void client.invalidateQueries({ queryKey });
  });
  return {
    entries,
    hasChanges,
    /** True: another manager has changed the list since the edits. */
    isOvertaken,
    saving,
    save: () => saving.mutate(edits),
    set(subject: string, level: GrantedLevel | null) {
      saving.reset();
      setEdits((now) => new Map(now).set(subject, level));
    },
    discard() {
      saving.reset();
      setEdits(NONE);
      setOvertaken(false);
    },
  };
}

const LEVELS = ['viewer', 'editor', 'manager', 'owner'] as const;

function LevelsTable(): ReactNode {
  const { t } = useTranslation('access');
  return (
    <Card aria-labelledby="levels">
      <h2 id="levels">{t('levels.heading')}</h2>
      <table className={styles.table} aria-labelledby="levels">
        <thead>
          <tr>
            <th scope="col">{t('level')}</th>
            <th scope="col">{t('levels.may')}</th>
          </tr>
        </thead>
        <tbody>
          {LEVELS.map((level) => (
            <tr key={level}>
              <th scope="row">{t(`levels.${level}`)}</th>
              <td>{t(`levels.${level}May`)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}
