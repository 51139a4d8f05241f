import type { ReactNode } from 'react';
import { Dialog as AriaDialog, Heading } from 'react-aria-components/Dialog';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import styles from './dialog.module.css';

interface DialogProps {
  readonly isOpen: boolean;
  /** Called when it is closed by a button, Escape or, unless it is an alert, a press outside. */
  readonly onClose: () => void;
  readonly heading: string;
  /** Whether it asks something that has to be answered. */
  readonly isAlert?: boolean;
  readonly children: ReactNode;
  /** The buttons at its end. */
  readonly actions: ReactNode;
}

/** A question or a task that comes before the rest of the page. */
export function Dialog({ isOpen, onClose, heading, isAlert = false, children, actions }: DialogProps): ReactNode {
  return (
    <ModalOverlay
      isOpen={isOpen}
      onOpenChange={(open) => !open && onClose()}
      isDismissable={!isAlert}
      className={styles.overlay ?? ''}
    >
      <Modal className={styles.modal ?? ''}>
        <AriaDialog role={isAlert ? 'alertdialog' : 'dialog'} className={styles.dialog ?? ''}>
          <Heading slot="title" level={2} className={styles.heading ?? ''}>
            {heading}
          </Heading>
          {children}
          <div className={styles.actions}>{actions}</div>
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}
