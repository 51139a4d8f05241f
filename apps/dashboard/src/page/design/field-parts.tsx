import type { ReactNode } from 'react';
import styles from './field.module.css';
import { Icon } from './icons.tsx';

/** What every field has beside its control. */
export interface FieldTexts {
  readonly label: string;
  /** What the field does, read out with its label. */
  readonly description?: ReactNode;
  /** What is wrong with the value. */
  readonly error?: string | undefined;
}

type Notes = Omit<FieldTexts, 'label'>;

/** Returns the attributes that tie a control to its `FieldNotes`. */
export function describedBy(id: string, { description, error }: Notes) {
  const ids = [description !== undefined && `${id}-description`, error !== undefined && `${id}-error`];
  return {
    'aria-describedby': ids.filter((one) => one !== false).join(' ') || undefined,
    'aria-invalid': error === undefined ? undefined : true,
  } as const;
}

/** The texts below a control. */
export function FieldNotes({ id, description, error }: Notes & { readonly id: string }): ReactNode {
  return (
    <>
      {description !== undefined && (
        <p id={`${id}-description`} className={styles.description}>
          {description}
        </p>
      )}
      {error !== undefined && (
        <p id={`${id}-error`} className={styles.error}>
          <Icon name="warning" />
          <span>{error}</span>
        </p>
      )}
    </>
  );
}
