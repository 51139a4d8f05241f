import { type ReactNode, useEffect, useRef } from 'react';
import { classNames } from './class-names.ts';
import styles from './notice.module.css';
import { announce } from './status-region.tsx';

interface NoticeProps {
  readonly tone?: 'info' | 'success' | 'warning' | 'danger';
  /** `alert` interrupts a screen reader, `status` waits for its turn; none for a text that was there from the start. */
  readonly role?: 'alert' | 'status';
  readonly children: ReactNode;
}

/** A message about the state of something, with a colour of its own. */
export function Notice({ tone = 'info', role, children }: NoticeProps): ReactNode {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Screen readers do not read out a status region that comes with its text. The page has one that is always there.
    if (role === 'status') announce(ref.current?.textContent ?? '');
  }, [role]);
  return (
    <div ref={ref} role={role === 'alert' ? role : undefined} className={classNames(styles.notice, styles[tone])}>
      {children}
    </div>
  );
}
