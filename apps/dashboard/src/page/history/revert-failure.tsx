import type { Conflict } from '@guild-settings/contract';
import { fieldLabel, valueParts } from '@guild-settings/i18n';
import type { ReactNode } from 'react';
import { Button } from '../design/button.tsx';
import { ErrorPanel, Notice } from '../design/panels.tsx';
import { RelativeTime } from '../design/relative-time.tsx';
import { laterChangeOf, problemOf, slugOf } from '../service/failure.ts';
import styles from './revert.module.css';
import type { RevertTarget } from './revert-queries.ts';
import { ChangeLink, Parts, Person } from './sentence-text.tsx';
import { useWords } from './use-words.ts';

interface RevertFailureProps {
  readonly error: unknown;
  readonly target: RevertTarget;
  readonly onOther: (target: RevertTarget) => void;
  readonly onRetry: () => unknown;
}

/** The reason why an undo or a restore was refused, and the remedy. */
export function RevertFailure({ error, target, onOther, onRetry }: RevertFailureProps): ReactNode {
  const { t, shared } = useWords();
  const text = (content: string) => (
    <Notice tone="warning" role="alert">
      <p>{content}</p>
    </Notice>
  );
  switch (slugOf(error)) {
    case 'later-change':
      return (
        <LaterChanges
          target={target}
          conflicts={problemOf(error)?.conflicts ?? []}
          newest={laterChangeOf(error)}
          onOther={onOther}
        />
      );
    case 'revision-mismatch':
      return text(shared('undo.meanwhile'));
    case 'not-undoable':
      return text(shared('undo.notUndoable', { change: `#${target.revision}` }));
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

interface LaterChangesProps extends Pick<RevertFailureProps, 'target' | 'onOther'> {
  readonly conflicts: readonly Conflict[];
  readonly newest: number | undefined;
}

/** The later changes that are in the way of an undo: of what, to what, by whom and when. */
function LaterChanges({ target, conflicts, newest, onOther }: LaterChangesProps): ReactNode {
  const words = useWords();
  const { t, shared } = words;
  return (
    <Notice tone="warning" role="alert">
      <p>{shared('undo.later', { change: `#${target.revision}` })}</p>
      <ul className={styles.conflicts}>
        {conflicts.map(({ field, from, to, revision, at, actor }) => (
          <li key={field}>
            {fieldLabel(field, words)}: <Parts parts={valueParts(field, from, words)} />
            {' → '}
            <Parts parts={valueParts(field, to, words)} /> (
            <ChangeLink revision={revision} />, <Person actor={actor} />, <RelativeTime at={at} />)
          </li>
        ))}
      </ul>
      {newest !== undefined && (
        <Button onPress={() => onOther({ ...target, revision: newest })}>
          {t('revert.undoLater', { id: `#${newest}` })}
        </Button>
      )}
    </Notice>
  );
}
