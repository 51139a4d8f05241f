import type { ReceivedArrival } from '@guild-settings/client/browser';
import { flawText, reasonFlaw } from '@guild-settings/i18n';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Button } from '../design/button.tsx';
import { Dialog } from '../design/dialog.tsx';
import { TextField } from '../design/inputs.tsx';
import { Loading, Notice } from '../design/panels.tsx';
import { DifferenceTable } from './difference-table.tsx';
import { RevertFailure } from './revert-failure.tsx';
import {
  type ConfirmedRevert,
  isRevertedAfter,
  type RevertTarget,
  revert,
  revertPreviewQuery,
} from './revert-queries.ts';
import { useWords } from './use-words.ts';

interface RevertDialogProps {
  readonly guild: string;
  readonly target: RevertTarget;
  readonly onClose: () => void;
  /** Called with whether the new change is in use. */
  readonly onDone: (arrival: ReceivedArrival | undefined) => void;
  /** Asks about another change instead: the later one that is in the way. */
  readonly onOther: (target: RevertTarget) => void;
}

/** Shows what an undo or a restore would change, and makes exactly that when it is confirmed. */
export function RevertDialog({ guild, target, onClose, onDone, onOther }: RevertDialogProps): ReactNode {
  const words = useWords();
  const { t, shared } = words;
  const { kind, revision } = target;
  const [reason, setReason] = useState('');
  const preview = useQuery(revertPreviewQuery(guild, target));
  const confirmed = useMutation({
    mutationFn: (confirm: ConfirmedRevert) => revert(confirm),
    onSuccess: onDone,
    // The shown difference has become outdated: read it again.
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
