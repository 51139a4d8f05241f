import {
  type AnchorHTMLAttributes,
  type ButtonHTMLAttributes,
  type ReactNode,
  type Ref,
  useId,
  useRef,
  useState,
} from 'react';
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
  readonly ref?: Ref<HTMLButtonElement>;
  readonly kind?: ButtonKind;
  /** True: it only has an icon, and its name as `aria-label`. */
  readonly isIcon?: boolean;
  readonly isDisabled?: boolean;
  /** True: its action is running. It keeps the focus, and ignores presses. */
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

interface PopupProps {
  /** The accessible name of a button with only an icon. */
  readonly label?: string | undefined;
  readonly button: ReactNode;
  readonly isIcon?: boolean;
  /** The end of the header where it is; `menu`: anywhere in the page, with actions. */
  readonly side?: 'start' | 'end' | 'menu';
  readonly children: (close: () => void) => ReactNode;
}

/**
 * A button that opens a panel below it. Uses the browser's own popover: it is above everything, closes with Escape or a
 * press outside, and returns the focus. Its content is rendered when it is first opened.
 */
export function Popup({ label, button, isIcon = false, side = 'end', children }: PopupProps): ReactNode {
  const id = useId();
  const panel = useRef<HTMLDivElement>(null);
  const [wasOpened, setOpened] = useState(false);
  return (
    <>
      <Button kind="quiet" isIcon={isIcon} aria-label={label} popoverTarget={id}>
        {button}
      </Button>
      <div
        ref={panel}
        id={id}
        popover="auto"
        className={classNames(side !== 'menu' && styles.popup, styles[side])}
        onBeforeToggle={() => setOpened(true)}
      >
        {wasOpened && children(() => panel.current?.hidePopover())}
      </div>
    </>
  );
}
