import { type ReactNode, useId, useRef, useState } from 'react';
import { Button, classNames } from './button.tsx';
import styles from './popup.module.css';

interface PopupProps {
  /** The name of the button, where it has an icon alone. */
  readonly label?: string | undefined;
  readonly button: ReactNode;
  readonly isIcon?: boolean;
  readonly side?: 'start' | 'end';
  readonly children: (close: () => void) => ReactNode;
}

/**
 * A button of the header that opens a panel below it. The browser's own popover: it is above everything, closes with Escape and by a press
 * outside, and returns the focus. What it holds is rendered when it is first opened.
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
        className={classNames(styles.popup, styles[side])}
        onBeforeToggle={() => setOpened(true)}
      >
        {wasOpened && children(() => panel.current?.hidePopover())}
      </div>
    </>
  );
}
