import type { ReceivedArrival } from '@guild-settings/client/browser';
import type { Conflict } from '@guild-settings/contract';
import { fieldLabel, flawText, reasonFlaw, sentences, valueParts } from '@guild-settings/i18n';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Button } from '../design/button.tsx';
import { Dialog } from '../design/dialog.tsx';
import { TextField } from '../design/inputs.tsx';
import { announce, ErrorPanel, Loading, Notice } from '../design/panels.tsx';
import { RelativeTime } from '../design/relative-time.tsx';
import { Filled, UNFILLED } from '../i18n/filled.tsx';
import { laterChangeOf, problemOf, slugOf } from '../service/failure.ts';
import { useArrivalText } from '../settings/use-arrival-text.ts';
import { ChangeLink, DifferenceTable, Parts, Person, useWords } from './change-text.tsx';
import styles from './history.module.css';
import {
  type ConfirmedRevert,
  isRevertedAfter,
  type RevertTarget,
  revert,
  revertPreviewQuery,
} from './revert-queries.ts';

interface RevertDialogProps {
  readonly guild: string;
  readonly target: RevertTarget;
  readonly onClose: () => void;
  /** Called with the arrival of the new change. */
  readonly onDone: (arrival: ReceivedArrival | undefined) => void;
  /** Asks about another change instead: the later one that prevents the undo. */
  readonly onOther: (target: RevertTarget) => void;
}

/** Shows the changes of an undo or a restore, and makes exactly those when confirmed. */
export function RevertDialog({ guild, target, onClose, onDone, onOther }: RevertDialogProps): ReactNode {
  const words = useWords();
  const { t, shared } = words;
  const { kind, revision } = target;
  const [reason, setReason] = useState('');
  const preview = useQuery(revertPreviewQuery(guild, target));
  const confirmed = useMutation({
    mutationFn: (confirm: ConfirmedRevert) => revert(confirm),
    onSuccess: onDone,
    // The displayed difference is outdated, so it is read again.
    onError: () => void preview.refetch(),
  });
  const retry = async () => {
    if (confirmed.error !== null && (await isRevertedAfter(confirmed.error, guild, target))) return onDone(undefined);
    confirmed.reset();
    await preview.refetch();
  };
  const difference = preview.data;
  const error = preview.error ?? confirmed.error;
  const flaw = reasonFlaw(reason.trim());
  const isShown = difference !== undefined && preview.error === null;
  const canConfirm = isShown && Object.keys(difference.changes).length > 0;
  const isDone = isShown && !canConfirm;
  return (
    <Dialog
      isOpen
      onClose={onClose}
      heading={t(`revert.${kind}Heading`, { id: `#${revision}` })}
      actions={
        <>
          <Button onPress={onClose}>{t(canConfirm ? 'revert.cancel' : 'revert.close')}</Button>
          {canConfirm && (
            <Button
              kind="primary"
              isDisabled={flaw !== undefined || preview.isFetching}
              isPending={confirmed.isPending}
              onPress={() => confirmed.mutate({ guild, target, difference, reason })}
            >
              {t(`revert.${kind}`)}
            </Button>
          )}
        </>
      }
    >
      {preview.isPending && <Loading />}
      {error !== null && <RevertFailure error={error} target={target} onOther={onOther} onRetry={retry} />}
      {canConfirm && (
        <>
          <p>{t('revert.will')}</p>
          <DifferenceTable changes={difference.changes} caption={t('revert.will')} />
          <TextField
            label={t('revert.reason')}
            description={t('revert.reasonHelp')}
            error={flaw && flawText(flaw, words)}
            value={reason}
            onChange={setReason}
          />
        </>
      )}
      {isDone && (
        <Notice>
          <p>{kind === 'undo' ? shared('undo.same', { change: `#${revision}` }) : t('revert.restoreNothing')}</p>
        </Notice>
      )}
    </Dialog>
  );
}

interface RevertFailureProps {
  readonly error: unknown;
  readonly target: RevertTarget;
  readonly onOther: (target: RevertTarget) => void;
  readonly onRetry: () => unknown;
}

function RevertFailure({ error, target, onOther, onRetry }: RevertFailureProps): ReactNode {
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

/** The later changes that prevent an undo, with their fields, values, authors and times. */
function LaterChanges({ target, conflicts, newest, onOther }: LaterChangesProps): ReactNode {
  const words = useWords();
  const { t, shared } = words;
  return (
    <Notice tone="warning" role="alert">
      <p>{shared('undo.later', { change: `#${target.revision}` })}</p>
      <ul className={styles.conflicts}>
        {conflicts.map(({ field, from, to, revision, at, actor }) => (
          <li key={field}>
            <Filled
              text={t('revert.laterChange', UNFILLED)}
              slots={{
                field: <bdi>{fieldLabel(field, words)}</bdi>,
                from: <Parts parts={valueParts(field, from, words)} />,
                to: <Parts parts={valueParts(field, to, words)} />,
                change: <ChangeLink revision={revision} />,
                who: <Person actor={actor} />,
                time: <RelativeTime at={at} />,
              }}
            />
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

interface Reverted {
  /** Announces it to screen readers and shows it on the page. */
  readonly tell: (target: RevertTarget, arrival: ReceivedArrival | undefined) => void;
  /** The newest message; undefined: none yet. */
  readonly message: ReactNode;
}

export function useReverted(): Reverted {
  const { t, shared } = useWords();
  const arrivalText = useArrivalText();
  const [newest, setNewest] = useState<{
    readonly target: RevertTarget;
    readonly arrival: ReceivedArrival | undefined;
  }>();
  const textOf = ({ kind, revision, isOfAccess }: RevertTarget, arrival: ReceivedArrival | undefined) => {
    const change = `#${revision}`;
    const done = kind === 'undo' ? shared('undo.done', { change }) : t('revert.restored', { id: change });
    return isOfAccess ? done : sentences(done, arrivalText(arrival));
  };
  return {
    tell(target, arrival) {
      setNewest({ target, arrival });
      announce(textOf(target, arrival));
    },
    message: newest && <Notice tone="success">{textOf(newest.target, newest.arrival)}</Notice>,
  };
}
