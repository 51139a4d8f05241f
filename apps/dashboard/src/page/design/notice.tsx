import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import styles from './notice.module.css';

interface NoticeProps {
  readonly tone?: 'info' | 'success' | 'warning' | 'danger';
  /** `alert` interrupts a screen reader, `status` waits for its turn; none for a text that was there from the start. */
  readonly role?: 'alert' | 'status';
  readonly children: ReactNode;
}

/** A message about the state of something, with a colour of its own. */
export function Notice({ tone = 'info', role, children }: NoticeProps): ReactNode {
  return (
    <div role={role} className={classNames(styles.notice, styles[tone])}>
      {children}
    </div>
  );
}
