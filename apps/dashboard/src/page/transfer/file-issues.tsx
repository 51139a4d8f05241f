import type { ReactNode } from 'react';
import styles from './transfer.module.css';

export interface FileIssue {
  /** The JSON Pointer of its place in the file (RFC 6901). */
  readonly pointer: string;
  readonly message: string;
}

interface FileIssuesProps {
  readonly issues: readonly FileIssue[];
  /** The language of the messages, where it is not that of the page. */
  readonly lang?: string;
}

/** The wrong values of a file, each with its place and what was expected. */
export function FileIssues({ issues, lang }: FileIssuesProps): ReactNode {
  return (
    <ul className={styles.list}>
      {issues.map(({ pointer, message }) => (
        <li key={`${pointer} ${message}`}>
          <code>{pointer}</code>: <span lang={lang}>{message}</span>
        </li>
      ))}
    </ul>
  );
}
