import { type ReactNode, type TextareaHTMLAttributes, useId } from 'react';
import styles from './field.module.css';
import { describedBy, Field, type FieldTexts } from './field.tsx';

interface TextAreaProps extends FieldTexts, Pick<TextareaHTMLAttributes<HTMLTextAreaElement>, 'spellCheck'> {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** Lines of text with a label. It grows with them. */
export function TextArea({ label, description, error, value, onChange, spellCheck }: TextAreaProps): ReactNode {
  const id = useId();
  return (
    <Field id={id} label={label} description={description} error={error}>
      {/* A copy of the text behind it, out of sight, gives it the height. */}
      <span className={styles.growing} data-text={`${value}\n`}>
        <textarea
          {...describedBy(id, { description, error })}
          id={id}
          className={styles.input}
          rows={2}
          value={value}
          spellCheck={spellCheck}
          // Some programs that type for people insert carriage returns, which no text may have.
          onChange={(event) => onChange(event.currentTarget.value.replaceAll(/\r\n?/g, '\n'))}
        />
      </span>
    </Field>
  );
}
