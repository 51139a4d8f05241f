import type { ReactNode } from 'react';
import styles from './empty-state.module.css';
import { Icon, type IconName } from './icons.tsx';
import { Card } from './panels.tsx';

interface EmptyStateProps {
  readonly icon: IconName;
  readonly children: ReactNode;
}

export function EmptyState({ icon, children }: EmptyStateProps): ReactNode {
  return (
    <Card className={styles.empty}>
      <span className={styles.icon}>
        <Icon name={icon} size="1.5rem" />
      </span>
      {children}
    </Card>
  );
}
