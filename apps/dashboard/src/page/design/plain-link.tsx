import type { AnchorHTMLAttributes, ReactNode, Ref } from 'react';
import { type ButtonKind, buttonClass } from './button.tsx';
import { classNames } from './class-names.ts';
import styles from './link.module.css';

export interface AnchorProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  readonly ref?: Ref<HTMLAnchorElement>;
  readonly button?: ButtonKind | undefined;
}

export function PlainLink({ button, className, ...props }: AnchorProps): ReactNode {
  const look = button === undefined ? styles.link : buttonClass(button);
  return <a {...props} className={classNames(look, className)} />;
}
