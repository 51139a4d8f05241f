import type { AnchorHTMLAttributes, ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import styles from './button.module.css';

/**
 * The emphasis of a button: one `primary` in each view, `danger` for an action that cannot be undone, `danger-question`
 * for a button that opens the confirmation of one.
 */
export type ButtonKind = 'primary' | 'secondary' | 'quiet' | 'danger' | 'danger-question';

export function buttonClass(kind: ButtonKind = 'secondary', isIcon = false): string {
  return classNames(styles.button, styles[kind], isIcon && styles.icon);
}

type Attributes = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className' | 'style' | 'disabled' | 'onClick'>;

interface ButtonProps extends Attributes {
  readonly kind?: ButtonKind;
  /** True: it has an icon alone, and its name as `aria-label`. */
  readonly isIcon?: boolean;
  readonly isDisabled?: boolean;
  /** True: its action is under way. It keeps the focus, and ignores presses. */
  readonly isPending?: boolean;
  readonly onPress?: (() => unknown) | undefined;
  readonly children: ReactNode;
}

/** A button of at least 44 by 44 pixels. The browser's own: the first page is small without React Aria. */
export function Button(props: ButtonProps): ReactNode {
  const { kind = 'secondary', isIcon = false, isDisabled = false, isPending = false, onPress, ...attributes } = props;
  return (
    <button
      type="button"
      {...attributes}
      className={buttonClass(kind, isIcon)}
      disabled={isDisabled}
      aria-disabled={isPending || undefined}
      aria-busy={isPending || undefined}
      onClick={(event) => {
        if (isPending) event.preventDefault();
        else void onPress?.();
      }}
    />
  );
}

export interface AnchorProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  readonly ref?: Ref<HTMLAnchorElement>;
  readonly button?: ButtonKind | undefined;
}

export function PlainLink({ button, className, ...props }: AnchorProps): ReactNode {
  const look = button === undefined ? styles.link : buttonClass(button);
  return <a {...props} className={classNames(look, className)} />;
}

export function classNames(...names: readonly (string | false | undefined)[]): string {
  return names.filter((name) => name !== false && name !== undefined && name !== '').join(' ');
}
