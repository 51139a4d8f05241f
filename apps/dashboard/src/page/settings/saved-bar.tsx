import { sentences } from '@guild-settings/i18n';
import { type ReactNode, type RefObject, useEffect, useEffectEvent, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../design/button.tsx';
import { Icon } from '../design/icons.tsx';
import { Link } from '../design/link.tsx';
import { useAnnouncement, useCountdown } from '../design/panels.tsx';
import type { Live } from './live.tsx';
import type { Outcome, Refusal, SaveFailure } from './save-outcome.ts';
import styles from './settings.module.css';
import { useSettings } from './settings-context.ts';
import { useArrivalText } from './use-arrival-text.ts';

type Saved = Extract<Outcome, { kind: 'saved' }>;

/** Time for which the undo is offered here. Later, it is available in the history. */
const SHOWN_MS = 10_000;

/** The result of a save: whether it is in use, and its undo. */
export function SavedBar({ live, saved }: { readonly live: Live; readonly saved: Saved }): ReactNode {
  const { t } = useTranslation(['settings', 'common']);
  const { guild, saver } = useSettings();
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
      ? sentences(t(saved.undo === 'done' ? 'bar.undone' : 'bar.saved'), arrivalText(arrival))
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

/** The focused button of the save or the undo has disappeared: moves the focus to its replacement. */
function useFocusInPlace(place: RefObject<HTMLElement | null>, undo: Saved['undo']): void {
  useEffect(() => {
    if (document.activeElement === document.body)
      place.current?.querySelector<HTMLElement>('a, button')?.focus({ preventScroll: true });
  }, [place, undo]);
}

/** Hides the message after a while, but not while the keyboard or the pointer is on it. */
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

interface UndoFailure {
  /** Undefined: not failed, or the wait after a refusal is over. */
  readonly text: string | undefined;
  readonly seconds: number;
}

const UNEXPECTED = 'failure.unexpected.heading';

/** The texts of failures, in the namespace `common`. */
const REASONS = {
  unreachable: 'failure.unavailable.heading',
  offline: 'failure.offline.heading',
  limited: 'failure.limited.heading',
  forbidden: 'failure.forbidden.heading',
  sessionOver: 'session.over',
  // An undo does not send settings.
  conflicts: UNEXPECTED,
  invalid: UNEXPECTED,
  tooLarge: UNEXPECTED,
  busy: UNEXPECTED,
  failed: UNEXPECTED,
} as const satisfies Readonly<Record<Exclude<SaveFailure, 'unconfirmed' | 'full'>, string>>;

/** Returns why an undo after a save failed, and the seconds until it may be repeated. */
export function useUndoFailure(outcome: Outcome): UndoFailure {
  const { t } = useTranslation(['settings', 'common']);
  const { undo, undoRefusal } = outcome.kind === 'saved' ? outcome : {};
  const seconds = useWait(undoRefusal);
  const failure = undoRefusal?.failure;
  if (undo === 'later') return { text: t('bar.undoLater'), seconds };
  if (failure === undefined || (failure === 'limited' && seconds === 0)) return { text: undefined, seconds };
  if (failure === 'unconfirmed') return { text: t('bar.unconfirmed'), seconds };
  if (failure === 'full') return { text: t('bar.undoFull'), seconds };
  return { text: t('bar.notUndone', { why: t(REASONS[failure], { ns: 'common' }) }), seconds };
}

/** Seconds to wait after too many changes, if the service does not send them. */
const DEFAULT_WAIT_SECONDS = 5;

/** Returns the seconds until a refused change may be sent again, and renders again each second. */
export function useWait(refusal: Refusal | undefined): number {
  const { failure, retryAfter, at = 0 } = refusal ?? {};
  return useCountdown({ startedAt: at, seconds: retryAfter ?? (failure === 'limited' ? DEFAULT_WAIT_SECONDS : 0) });
}
