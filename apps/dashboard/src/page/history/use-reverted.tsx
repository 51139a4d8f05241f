import type { ReceivedArrival } from '@guild-settings/client/browser';
import { type ReactNode, useState } from 'react';
import { announce, Notice } from '../design/panels.tsx';
import { useArrivalText } from '../settings/use-arrival-text.ts';
import type { RevertTarget } from './revert-queries.ts';
import { useWords } from './use-words.ts';

export interface Reverted {
  /** Announces it to screen readers and shows it on the page. */
  readonly tell: (target: RevertTarget, arrival: ReceivedArrival | undefined) => void;
  /** The newest of it; undefined: nothing yet. */
  readonly message: ReactNode;
}

export function useReverted(): Reverted {
  const { t, shared } = useWords();
  const arrivalText = useArrivalText();
  const [newest, setNewest] = useState<{
    readonly target: RevertTarget;
    readonly arrival: ReceivedArrival | undefined;
  }>();
  const textOf = ({ kind, revision, isOfAccess }: RevertTarget, arrival: ReceivedArrival | undefined) => {
    const change = `#${revision}`;
    const done = kind === 'undo' ? shared('undo.done', { change }) : t('revert.restored', { id: change });
    return isOfAccess ? done : `${done} ${arrivalText(arrival)}`;
  };
  return {
    tell(target, arrival) {
      setNewest({ target, arrival });
      announce(textOf(target, arrival));
    },
    message: newest && <Notice tone="success">{textOf(newest.target, newest.arrival)}</Notice>,
  };
}
