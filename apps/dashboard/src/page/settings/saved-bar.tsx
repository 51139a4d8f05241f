import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../design/button.tsx';
import { Icon } from '../design/icons.tsx';
import { Link } from '../design/link.tsx';
import { useAnnouncement } from '../design/status-region.tsx';
import type { Outcome } from './outcome.ts';
import styles from './save-bar.module.css';
import { useLiveState, useSettings } from './settings-context.ts';
import { useArrivalText } from './use-arrival-text.ts';
import { useUndoFailure } from './use-undo-failure.ts';

type Saved = Extract<Outcome, { kind: 'saved' }>;

/** The time for which the undo is offered here. The history has it afterwards. */
const SHOWN_MS = 10_000;

/** The outcome of a save: whether the change is in use, and its undo. */
export function SavedBar({ saved }: { readonly saved: Saved }): ReactNode {
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
function useFocusInPlace(place: React.RefObject<HTMLElement | null>, undo: Saved['undo']): void {
  useEffect(() => {
    if (document.activeElement === document.body)
      place.current?.querySelector<HTMLElement>('a, button')?.focus({ preventScroll: true });
  }, [place, undo]);
}

/** Ends the message after a while, but not while the keyboard or the pointer is on it. */
function useDismissal(place: React.RefObject<HTMLElement | null>, isOver: boolean, onEnd: () => void): void {
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
