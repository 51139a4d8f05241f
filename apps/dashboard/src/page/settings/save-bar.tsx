import { type ReactNode, useRef } from 'react';
import { Button } from '../design/button.tsx';
import { useAnnouncement } from '../design/status-region.tsx';
import { changesText } from './changes-text.ts';
import type { Outcome, Refusal, SaveFailure } from './outcome.ts';
import styles from './save-bar.module.css';
import { SavedBar } from './saved-bar.tsx';
import { useLiveState, useSettings, useWholeDraft } from './settings-context.ts';
import { useBottomBar } from './use-bottom-bar.ts';
import { hasFlaws } from './use-field.ts';
import type { Live } from './use-live.ts';
import { useUndoFailure } from './use-undo-failure.ts';
import { useWait } from './use-wait.ts';

interface SaveBarProps {
  readonly canSave: boolean;
  readonly outcome: Outcome;
}

/** The bar at the bottom: the unsaved changes, the outcome of the last save, and its undo. */
export function SaveBar({ canSave, outcome }: SaveBarProps): ReactNode {
  const draft = useWholeDraft();
  const place = useRef<HTMLDivElement>(null);
  const isShown = draft.hasChanges || draft.isSending || outcome.kind === 'saved';
  useBottomBar(place, isShown);
  if (!isShown) return null;
  return (
    <div ref={place} className={styles.bar} data-save-bar="">
      <div className={styles.content}>
        {outcome.kind === 'saved' && !draft.hasChanges && !draft.isSending ? (
          <SavedBar saved={outcome} />
        ) : (
          <Unsaved canSave={canSave} outcome={outcome} />
        )}
      </div>
    </div>
  );
}

function Unsaved({ canSave, outcome }: SaveBarProps): ReactNode {
  const { guild, store, issues, words } = useSettings();
  const draft = useWholeDraft();
  const { t } = words;
  const lines = changesText(draft, words);
  const live = useLiveState();
  /** Returns true if the person has already done what a failed save asked for. */
  const isMended = (failure: SaveFailure) =>
    failure === 'conflicts'
      ? !draft.hasConflict
      : failure === 'invalid' && issues.length === 0 && !hasFlaws(draft.changes, { guild, words });
  const isOver = outcome.kind === 'failed' && (isMended(outcome.failure) || (canSave && isOutageOver(outcome, live)));
  const failed = outcome.kind === 'failed' && !isOver ? outcome : undefined;
  const text = draft.hasChanges ? t('bar.changes', { count: lines.length }) : t('bar.waiting');
  useAnnouncement(text);
  const isLimited = failed?.failure === 'limited';
  const seconds = useWait(failed);
  const undoFailure = useUndoFailure(outcome).text;
  const failure =
    failed === undefined || (isLimited && seconds === 0)
      ? undoFailure
      : isLimited
        ? t('bar.limited', { count: seconds })
        : t(`bar.${failed.failure}`);
  // A change that is sent now could be overtaken by the undo.
  const isUndoing = outcome.kind === 'saved' && outcome.undo === 'running';
  return (
    <>
      <div className={styles.text}>
        {failure !== undefined && (
          <p role="alert" className={styles.failure}>
            {failure}
          </p>
        )}
        {failure === undefined && !canSave && <p className={styles.failure}>{t(`bar.${whyNot(live)}`)}</p>}
        <p className={styles.count}>{text}</p>
        {lines.length > 0 && (
          // biome-ignore lint/a11y/noRedundantRoles: Safari takes a list without marks for none.
          <ul role="list" className={styles.changes}>
            {lines.map(({ field, text: line }) => (
              <li key={field}>{line}</li>
            ))}
          </ul>
        )}
      </div>
      <div className={styles.actions}>
        <Button kind="quiet" isDisabled={draft.isSending} onPress={() => store.reset()}>
          {t('bar.discard')}
        </Button>
        <Button
          kind="primary"
          type="submit"
          isPending={draft.isSending || isUndoing}
          isDisabled={!canSave || seconds > 0}
        >
          {t(draft.isSending ? 'bar.saving' : isUndoing ? 'bar.undoing' : 'bar.save')}
        </Button>
      </div>
    </>
  );
}

/** Returns why nothing can be saved while the page does not know what it would overwrite. */
function whyNot({ failure }: Live): 'offline' | 'away' | 'forbidden' {
  return failure === 'offline' || failure === 'forbidden' ? failure : 'away';
}

/** Returns true if the service has responded again after a save that did not reach it, or that had no session. */
function isOutageOver({ failure, at }: Refusal, { asOf, liveSince }: Live): boolean {
  if (failure === 'offline') return asOf > at;
  // Events of a connection from before the failure do not prove that the service takes changes again.
  return (failure === 'unreachable' || failure === 'sessionOver') && liveSince > at;
}
