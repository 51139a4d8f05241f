import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorPanel, Notice } from '../design/panels.tsx';
import { failureOf, problemOf } from '../service/failure.ts';
import { type FileIssue, FileIssues } from './file-issues.tsx';

interface ImportFailureProps {
  readonly file: string;
  readonly error: unknown;
  readonly onRetry: () => unknown;
}

/** The reason why the service refused a file: each value with its place, and what was expected. */
export function ImportFailure({ file, error, onRetry }: ImportFailureProps): ReactNode {
  const { t } = useTranslation('transfer');
  const { issues = [], detail = '' } = problemOf(error) ?? {};
  if (failureOf(error).kind !== 'invalid') return <ErrorPanel error={error} onRetry={onRetry} />;
  return (
    <Notice tone="danger" role="alert">
      <h3>{t('wrong.heading', { file })}</h3>
      <p>{issues.length > 0 ? t('wrong.issues') : t('wrong.refused', { detail })}</p>
      {/* The service has no other language. */}
      {issues.length > 0 && <FileIssues issues={issues.map(withinFile)} lang="en" />}
      <p>{t('wrong.nothing')}</p>
    </Notice>
  );
}

/** Returns an issue with its place in the file, which is a part of the request. */
function withinFile({ pointer, message }: FileIssue): FileIssue {
  return { pointer: pointer.replace(/^\/document(?=\/|$)/, '') || '/', message };
}
