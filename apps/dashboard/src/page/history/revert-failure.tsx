import type { Conflict } from '@guild-settings/contract';
import type { ReactNode } from 'react';
import { Button } from '../design/button.tsx';
import { ErrorPanel } from '../design/error-panel.tsx';
import { Notice } from '../design/notice.tsx';
import { problemOf, slugOf } from '../service/problem.ts';
import { fieldLabel } from './difference.ts';
import { Shown } from './difference-table.tsx';
import { RelativeTime } from './relative-time.tsx';
import styles from './revert.module.css';
import type { RevertTarget } from './revert-queries.ts';
import { ChangeLink, Person } from './sentence-text.tsx';
import { useWords } from './use-words.ts';
import { shownValue } from './value.ts';

interface RevertFailureProps {
  readonly guild: string;
  readonly error: unknown;
  readonly target: RevertTarget;
  readonly onOther: (target: RevertTarget) => void;
  readonly onRetry: () => unknown;
}

/** Why an undo or a restore was refused, and what helps. */
export function RevertFailure({ guild, error, target, onOther, onRetry }: RevertFailureProps): ReactNode {
  const { t } = useWords();
  const text = (content: string) => (
    <Notice tone="warning" role="alert">
      <p>{content}</p>
    </Notice>
  );
  switch (slugOf(error)) {
    case 'later-change':
      return (
        <LaterChanges guild={guild} target={target} conflicts={problemOf(error)?.conflicts ?? []} onOther={onOther} />
      );
    case 'revision-mismatch':
      return text(t('revert.meanwhile'));
    case 'not-undoable':
      return text(t('revert.notUndoable'));
    case 'revision-unknown':
      return text(t('revert.unknown'));
    case 'change-log-full':
      return text(t('revert.full'));
    case 'write-unconfirmed':
      return text(t('revert.failed'));
    default:
      return <ErrorPanel error={error} onRetry={onRetry} />;
  }
}

interface LaterChangesProps extends Pick<RevertFailureProps, 'guild' | 'target' | 'onOther'> {
  readonly conflicts: readonly Conflict[];
}

/** The later changes that are in the way of an undo: of what, to what, by whom and when. */
function LaterChanges({ guild, target, conflicts, onOther }: LaterChangesProps): ReactNode {
  const words = useWords();
  const { t } = words;
  const newest = conflicts.length === 0 ? undefined : Math.max(...conflicts.map(({ revision }) => revision));
  return (
    <Notice tone="warning" role="alert">
      <p>{t('revert.later', { id: `#${target.revision}` })}</p>
      <ul className={styles.conflicts}>
        {conflicts.map(({ field, from, to, revision, at, actor }) => (
          <li key={field}>
            {fieldLabel(field, words)}: <Shown value={shownValue(field, from, words)} />
            {' → '}
            <Shown value={shownValue(field, to, words)} /> (<ChangeLink guild={guild} revision={revision} />,{' '}
            <Person actor={actor} />, <RelativeTime at={at} />)
          </li>
        ))}
      </ul>
      {newest !== undefined && (
        <Button onPress={() => onOther({ kind: 'undo', revision: newest })}>
          {t('revert.undoLater', { id: `#${newest}` })}
        </Button>
      )}
    </Notice>
  );
}
