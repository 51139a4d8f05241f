import type { ReactNode } from 'react';
import { FieldError } from 'react-aria-components/FieldError';
import { Text } from 'react-aria-components/Text';
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

/** The texts below a control of React Aria, which ties them to it. */
export function FieldNotes({ description, error }: Omit<FieldTexts, 'label'>): ReactNode {
  return (
    <>
      {description !== undefined && (
        <Text slot="description" className={styles.description}>
          {description}
        </Text>
      )}
      {error !== undefined && (
        <FieldError className={styles.error ?? ''}>
          <Icon name="warning" />
          <span>{error}</span>
        </FieldError>
      )}
    </>
  );
}
