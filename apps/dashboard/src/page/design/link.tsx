import { createLink, type LinkComponent } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, ReactNode, Ref } from 'react';
import { type ButtonKind, buttonClass } from './button.tsx';
import { classNames } from './class-names.ts';
import styles from './link.module.css';

interface AnchorProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  readonly ref?: Ref<HTMLAnchorElement>;
  /** Looks like a button of this kind. */
  readonly button?: ButtonKind | undefined;
}

function Anchor({ button, className, ...props }: AnchorProps): ReactNode {
  const look = button === undefined ? styles.link : buttonClass(button);
  return <a {...props} className={classNames(look, className)} />;
}

const RouterLink = createLink(Anchor);

/** A link to a page of this program, with its parameters checked by the types of the routes. */
export const Link: LinkComponent<typeof Anchor> = (props) => <RouterLink preload="intent" {...props} />;

/** A link to another place, or to an address of the server such as `/login`. */
export function PlainLink(props: AnchorProps & { readonly href: string }): ReactNode {
  return <Anchor {...props} />;
}
