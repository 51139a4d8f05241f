import type { ReactNode } from 'react';
import { Input } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import { TextField as AriaTextField, type TextFieldProps as AriaTextFieldProps } from 'react-aria-components/TextField';
import styles from './field.module.css';
import { FieldNotes, type FieldTexts } from './field-parts.tsx';

export interface TextFieldProps extends Omit<AriaTextFieldProps, 'className' | 'style' | 'children'>, FieldTexts {
  readonly placeholder?: string;
}

/** One line of text with a label. */
export function TextField({ label, description, error, placeholder, ...props }: TextFieldProps): ReactNode {
  return (
    <AriaTextField {...props} isInvalid={error !== undefined} className={styles.field ?? ''}>
      <Label className={styles.label}>{label}</Label>
      <Input className={styles.input ?? ''} {...(placeholder !== undefined && { placeholder })} />
      <FieldNotes description={description} error={error} />
    </AriaTextField>
  );
}
