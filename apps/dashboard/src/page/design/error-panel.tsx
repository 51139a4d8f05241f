import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type FailureKind, failureOf, isRetryable } from '../service/failure.js';
import { Button } from './button.tsx';
import { Card } from './card.tsx';
import styles from './error-panel.module.css';
import { Icon, type IconName } from './icons.tsx';
import { useCountdown } from './use-countdown.ts';

/** The kinds with texts of their own; the others have their place elsewhere, and here the text of `unexpected`. */
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
  // A page reads by its address alone, so an invalid read is an unknown address.
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
 * The failure and its remedy, in place of the content that could not be loaded. Waits as long as the service asks, and
 * repeats by itself a request that may succeed later: after that time, or when the device is online again.
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
