import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

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

/** A question before something is lost or ended, with two answers. Escape is the one that changes nothing. */
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
