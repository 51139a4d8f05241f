import { type ReactNode, type RefObject, useEffect, useEffectEvent, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../design/button.tsx';
import { Icon } from '../design/icons.tsx';
import { Link } from '../design/link.tsx';
import { useAnnouncement } from '../design/panels.tsx';
import { changesText } from './changes-text.ts';
import type { Outcome, Refusal, SaveFailure } from './outcome.ts';
import styles from './save-bar.module.css';
import { useLiveState, useSettings, useWholeDraft } from './settings-context.ts';
import { useArrivalText } from './use-arrival-text.ts';
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

type Saved = Extract<Outcome, { kind: 'saved' }>;

/** The time for which the undo is offered here. The history has it afterwards. */
const SHOWN_MS = 10_000;

/** The outcome of a save: whether the change is in use, and its undo. */
function SavedBar({ saved }: { readonly saved: Saved }): ReactNode {
  const { t } = useTranslation(['settings', 'common']);
  const { guild, saver } = useSettings();
  const live = useLiveState();
  const arrivalText = useArrivalText();
  const place = useRef<HTMLDivElement>(null);
  useFocusInPlace(place, saved.undo);
  const known = live.arrival?.revision === saved.revision ? live.arrival : undefined;
  const arrival = saved.arrival?.state === 'live' ? saved.arrival : (known ?? saved.arrival);
  const { text: failure, seconds } = useUndoFailure(saved);
  // The bar stays until the change is in use, and while an undo is running or has to wait.
  const isOver = (arrival === undefined || arrival.state === 'live') && saved.undo !== 'running' && seconds === 0;
  useDismissal(place, isOver, saver.dismiss);
  const text =
    failure === undefined
      ? `${t(saved.undo === 'done' ? 'bar.undone' : 'bar.saved')} ${arrivalText(arrival)}`
      : failure;
  useAnnouncement(text);
  const isGood = failure === undefined && arrival?.state === 'live';
  const hasFailed = failure !== undefined || arrival?.state === 'rejected';
  return (
    <>
      <div className={styles.outcome} data-good={isGood || undefined}>
        <Icon name={isGood ? 'check' : hasFailed ? 'warning' : 'clock'} />
        <p>{text}</p>
      </div>
      <div className={styles.actions} ref={place} tabIndex={-1}>
        {(saved.undo === 'possible' || saved.undo === 'running') && (
          <Button
            isPending={saved.undo === 'running'}
            isDisabled={seconds > 0}
            onPress={() => void saver.undo(saved.revision)}
          >
            {seconds > 0
              ? t('failure.retryIn', { ns: 'common', count: seconds })
              : t(saved.undo === 'running' ? 'bar.undoing' : 'bar.undo')}
          </Button>
        )}
        {saved.laterChange !== undefined && (
          <Link
            button="secondary"
            to="/guilds/$guild/history/$revision"
            params={{ guild, revision: String(saved.laterChange) }}
          >
            {t('bar.laterChange', { id: `#${saved.laterChange}` })}
          </Link>
        )}
        <Button kind="quiet" isIcon aria-label={t('bar.close')} onPress={saver.dismiss}>
          <Icon name="close" />
        </Button>
      </div>
    </>
  );
}

/** The button that had the focus is gone, that of the save or of the undo: the focus goes to what has taken its place. */
function useFocusInPlace(place: RefObject<HTMLElement | null>, undo: Saved['undo']): void {
  useEffect(() => {
    if (document.activeElement === document.body)
      place.current?.querySelector<HTMLElement>('a, button')?.focus({ preventScroll: true });
  }, [place, undo]);
}

/** Ends the message after a while, but not while the keyboard or the pointer is on it. */
function useDismissal(place: RefObject<HTMLElement | null>, isOver: boolean, onEnd: () => void): void {
  const end = useEffectEvent(onEnd);
  useEffect(() => {
    if (!isOver) return;
    const timer = setInterval(() => {
      const bar = place.current?.parentElement;
      if (bar?.matches(':hover') || bar?.querySelector(':focus-visible')) return;
      end();
    }, SHOWN_MS);
    return () => clearInterval(timer);
  }, [place, isOver]);
}
