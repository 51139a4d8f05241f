import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { Button } from './button.tsx';
import styles from './dialog.module.css';

interface DialogProps {
  readonly isOpen: boolean;
  /** Called when it is closed by Escape or, unless it is an alert, by a press outside. Buttons call it themselves. */
  readonly onClose: () => void;
  readonly heading: string;
  readonly isAlert?: boolean;
  readonly children: ReactNode;
  readonly actions: ReactNode;
}

/**
 * A question or a task that blocks the rest of the page. Uses the browser's own modal dialog: it keeps the focus, makes
 * the rest inert, and returns the focus.
 */
export function Dialog(props: DialogProps): ReactNode {
  return props.isOpen ? <OpenDialog {...props} /> : null;
}

function OpenDialog({ onClose, heading, isAlert = false, children, actions }: DialogProps): ReactNode {
  const id = useId();
  const ref = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    // Returns the focus while the element is in the document: an effect after layout would be too late.
    return () => dialog?.close();
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape is the key, by the event `cancel`.
    <dialog
      ref={ref}
      role={isAlert ? 'alertdialog' : undefined}
      aria-labelledby={id}
      className={styles.dialog}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === event.currentTarget && !isAlert) onClose();
      }}
    >
      <div className={styles.content}>
        <h2 id={id}>{heading}</h2>
        {children}
        <div className={styles.actions}>{actions}</div>
      </div>
    </dialog>
  );
}

interface QuestionProps {
  readonly isOpen: boolean;
  readonly heading: string;
  readonly children: ReactNode;
  readonly cancel: string;
  readonly onCancel: () => void;
  readonly confirm: string;
  readonly onConfirm: () => unknown;
  readonly isDanger?: boolean;
  readonly isPending?: boolean;
}

/** A question before something is lost or ended, with two answers. Escape chooses the one without an effect. */
export function Question({
  isOpen,
  heading,
  children,
  cancel,
  onCancel,
  confirm,
  onConfirm,
  isDanger = false,
  isPending = false,
}: QuestionProps): ReactNode {
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onCancel}
      heading={heading}
      isAlert
      actions={
        <>
          <Button kind={isDanger ? 'secondary' : 'primary'} onPress={onCancel}>
            {cancel}
          </Button>
          <Button kind={isDanger ? 'danger' : 'secondary'} isPending={isPending} onPress={() => void onConfirm()}>
            {confirm}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  );
}
