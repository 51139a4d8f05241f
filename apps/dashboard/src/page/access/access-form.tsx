import type { GrantedLevel } from '@guild-settings/contract';
import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../design/button.tsx';
import { announce, ErrorPanel, Notice } from '../design/panels.tsx';
import { problemOf, slugOf } from '../service/failure.ts';
import { LeaveQuestion } from '../settings/leave-question.tsx';
import styles from './access.module.css';
import type { AccessList } from './access-queries.ts';
import { AccessTable } from './access-table.tsx';
import { AddSubject } from './add-subject.tsx';
import { useAccessDraft } from './use-access-draft.ts';
import { useSubjectText } from './use-subject-text.ts';

/** The access list for managers: who is added, with which level, who is removed, and one button that saves all of it. */
export function AccessForm({ guild, theirs }: { readonly guild: string; readonly theirs: AccessList }): ReactNode {
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
      // The button goes, and the focus would go with it.
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

/** Moves the focus to a place when the buttons in it, one of which had the focus, go with the last change. */
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
