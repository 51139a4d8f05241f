import {
  type HTMLAttributes,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { useTranslation } from 'react-i18next';
import { type FailureKind, failureOf, isRetryable } from '../service/failure.ts';
import { Button, classNames } from './button.tsx';
import { Icon, type IconName } from './icons.tsx';
import styles from './panels.module.css';

export function Card({ className, ...props }: HTMLAttributes<HTMLElement>): ReactNode {
  return <section {...props} className={classNames(styles.card, className)} />;
}

interface NoticeProps {
  readonly tone?: 'info' | 'success' | 'warning' | 'danger';
  /** `alert` interrupts a screen reader, `status` waits; absent for a text that was there from the start. */
  readonly role?: 'alert' | 'status';
  readonly children: ReactNode;
}

export function Notice({ tone = 'info', role, children }: NoticeProps): ReactNode {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Screen readers do not announce a status region that is inserted together with its text. The page has a permanent
    // one.
    if (role === 'status') announce(ref.current?.textContent ?? '');
  }, [role]);
  return (
    <div ref={ref} role={role === 'alert' ? role : undefined} className={classNames(styles.notice, styles[tone])}>
      {children}
    </div>
  );
}

/** The kinds with their own texts; others are shown elsewhere, and here as `unexpected`. */
type Shown = 'offline' | 'unavailable' | 'limited' | 'forbidden' | 'not-found' | 'unexpected';

const SHOWN: Readonly<Record<FailureKind, Shown>> = {
  offline: 'offline',
  unavailable: 'unavailable',
  limited: 'limited',
  forbidden: 'forbidden',
  'not-found': 'not-found',
  'bot-absent': 'not-found',
  'session-over': 'unexpected',
  conflict: 'unexpected',
  // A page reads only by its URL, so an invalid read is an unknown URL.
  invalid: 'not-found',
  unexpected: 'unexpected',
};

const ICONS: Readonly<Record<Shown, IconName>> = {
  offline: 'offline',
  unavailable: 'warning',
  limited: 'clock',
  forbidden: 'lock',
  'not-found': 'search',
  unexpected: 'warning',
};

interface ErrorPanelProps {
  readonly error: unknown;
  readonly onRetry?: (() => unknown) | undefined;
  readonly children?: ReactNode;
}

/**
 * The failure and its remedy, in place of the content that could not be loaded. Waits as long as the service requires,
 * and automatically repeats a request that may succeed later: after that time, or when the device is online again.
 */
export function ErrorPanel({ error, onRetry, children }: ErrorPanelProps): ReactNode {
  const { t } = useTranslation();
  const failure = failureOf(error);
  const shown = SHOWN[failure.kind];
  const [startedAt, setStartedAt] = useState(Date.now);
  useEffect(() => setStartedAt(Date.now()), [error]);
  const canRetry = isRetryable(failure) && failure.kind !== 'offline';
  const seconds = useCountdown({ startedAt, seconds: failure.retryAfter ?? 0, onEnd: canRetry ? onRetry : undefined });

  useEffect(() => {
    if (failure.kind !== 'offline' || onRetry === undefined) return;
    const retry = () => void onRetry();
    window.addEventListener('online', retry);
    return () => window.removeEventListener('online', retry);
  }, [failure.kind, onRetry]);

  // The notice above the page has the message and the link to the login.
  if (failure.kind === 'session-over') return null;
  return (
    <Card role="alert" className={styles.panel}>
      <h2 className={styles.heading}>
        <Icon name={ICONS[shown]} />
        {t(`failure.${shown}.heading`)}
      </h2>
      <p className={styles.text}>{t(`failure.${shown}.text`)}</p>
      <div className={styles.actions}>
        {onRetry !== undefined && (
          <Button kind="primary" isDisabled={seconds > 0} onPress={() => void onRetry()}>
            {seconds > 0 ? t('failure.retryIn', { count: seconds }) : t('failure.retry')}
          </Button>
        )}
        {children}
      </div>
    </Card>
  );
}

/** The placeholder of loading content, with CSS lengths. Hidden from screen readers: see `Loading`. */
export function Skeleton({
  width = '100%',
  height = '1rem',
}: {
  readonly width?: string;
  readonly height?: string;
}): ReactNode {
  return <span aria-hidden="true" className={styles.skeleton} style={{ inlineSize: width, blockSize: height }} />;
}

export function Loading({ children }: { readonly children?: ReactNode }): ReactNode {
  const { t } = useTranslation();
  return (
    <div role="status" aria-busy="true">
      <span className="visually-hidden">{t('app.loading')}</span>
      {children ?? <Skeleton height="8rem" />}
    </div>
  );
}

/** The placeholder of a loading page, with a first-level heading like every page. */
export function PageLoading(): ReactNode {
  const { t } = useTranslation();
  return (
    <>
      <h1 className="visually-hidden" data-placeholder>
        {t('app.name')}
      </h1>
      <Loading />
    </>
  );
}

/** The text for screen readers, and a number that makes each announcement unique. */
interface Announcement {
  readonly text: string;
  readonly count: number;
}

let current: Announcement = { text: '', count: 0 };
const listeners = new Set<() => void>();

/** Lets screen readers announce a text after their current speech. */
export function announce(text: string): void {
  current = { text, count: current.count + 1 };
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Lets screen readers announce a text of the page whenever it changes. */
export function useAnnouncement(text: string | undefined): void {
  useEffect(() => {
    if (text !== undefined) announce(text);
  }, [text]);
}

/** The only live region of the page, in the document from the start, as screen readers require. */
export function StatusRegion(): ReactNode {
  const { text, count } = useSyncExternalStore(subscribe, () => current);
  return (
    <div role="status" className="visually-hidden">
      <span key={count}>{text}</span>
    </div>
  );
}

interface Countdown {
  readonly startedAt: number;
  readonly seconds: number;
  readonly onEnd?: (() => unknown) | undefined;
}

/** Returns the remaining whole seconds, and renders again each second. */
export function useCountdown({ startedAt, seconds, onEnd }: Countdown): number {
  const left = () => Math.max(0, Math.ceil((startedAt + seconds * 1_000 - Date.now()) / 1_000));
  const [, render] = useState(0);
  const end = useEffectEvent(() => void onEnd?.());
  useEffect(() => {
    const endsAt = startedAt + seconds * 1_000;
    if (endsAt <= Date.now()) return;
    const timer = setInterval(() => {
      render((count) => count + 1);
      if (Date.now() < endsAt) return;
      clearInterval(timer);
      end();
    }, 1_000);
    return () => clearInterval(timer);
  }, [startedAt, seconds]);
  return left();
}
