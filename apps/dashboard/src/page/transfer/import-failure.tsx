import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorPanel } from '../design/error-panel.tsx';
import { Notice } from '../design/notice.tsx';
import { failureOf } from '../service/failure.ts';
import { problemOf, slugOf } from '../service/problem.ts';
import styles from './transfer.module.css';

interface ImportFailureProps {
  readonly file: string;
  readonly error: unknown;
  readonly onRetry: () => unknown;
}

/** Why the service refused a file: each value with its place, and what was expected. */
export function ImportFailure({ file, error, onRetry }: ImportFailureProps): ReactNode {
  const { t } = useTranslation('transfer');
  const { issues = [], detail = '' } = problemOf(error) ?? {};
  if (slugOf(error) === 'write-unconfirmed') {
    return (
      <Notice tone="warning" role="alert">
        <p>{t('import.failed')}</p>
      </Notice>
    );
  }
  if (failureOf(error).kind !== 'invalid') return <ErrorPanel error={error} onRetry={onRetry} />;
  return (
    <Notice tone="danger" role="alert">
      <h3>{t('wrong.heading', { file })}</h3>
      <p>{issues.length > 0 ? t('wrong.issues') : t('wrong.refused', { detail })}</p>
      {issues.length > 0 && (
        <ul className={styles.list}>
          {issues.map(({ pointer, message }) => (
            <li key={`${pointer} ${message}`}>
              {/* The service has no other language. */}
              <code>{placeOf(pointer)}</code>: <span lang="en">{message}</span>
            </li>
          ))}
        </ul>
      )}
      <p>{t('wrong.nothing')}</p>
    </Notice>
  );
}

/** Returns the place within the file: the file is a part of the request. */
function placeOf(pointer: string): string {
  return pointer.replace(/^\/document(?=\/|$)/, '') || '/';
}
