import { createContext, type ReactNode, useContext } from 'react';
import styles from './field.module.css';

/** A short note beside the labels of the contained fields. */
export const LabelNoteContext = createContext<string | undefined>(undefined);

export function LabelNote(): ReactNode {
  const note = useContext(LabelNoteContext);
  return note === undefined ? null : (
    <span className={styles.note} data-note="">
      {note}
    </span>
  );
}
