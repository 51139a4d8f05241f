import { type ReactNode, useState } from 'react';
import { Notice } from '../design/notice.tsx';
import { announce } from '../design/status-region.tsx';
import type { Arrival } from '../service/response-headers.ts';
import { useArrivalText } from '../settings/use-arrival-text.ts';
import type { RevertTarget } from './revert-queries.ts';
import { useWords } from './use-words.ts';

/** What was put back on this page, and whether it is in use. */
export interface Reverted {
  /** Announces it to screen readers and shows it on the page. */
  readonly tell: (target: RevertTarget, arrival: Arrival | undefined) => void;
  /** The newest of it; undefined: nothing yet. */
  readonly message: ReactNode;
}

/** Returns what was put back on this page. */
export function useReverted(): Reverted {
  const { t, shared } = useWords();
  const arrivalText = useArrivalText();
  const [newest, setNewest] = useState<{ readonly target: RevertTarget; readonly arrival: Arrival | undefined }>();
  const textOf = ({ kind, revision }: RevertTarget, arrival: Arrival | undefined) => {
    const change = `#${revision}`;
    const done = kind === 'undo' ? shared('undo.done', { change }) : t('revert.restored', { id: change });
    return `${done} ${arrivalText(arrival)}`;
  };
  return {
    tell(target, arrival) {
      setNewest({ target, arrival });
      announce(textOf(target, arrival));
    },
    message: newest && <Notice tone="success">{textOf(newest.target, newest.arrival)}</Notice>,
  };
}
