import type { HTMLAttributes, ReactNode } from 'react';
import styles from './card.module.css';
import { classNames } from './class-names.ts';

export function Card({ className, ...props }: HTMLAttributes<HTMLElement>): ReactNode {
  return <section {...props} className={classNames(styles.card, className)} />;
}
