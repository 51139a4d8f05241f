import { type ReactNode, useId } from 'react';
import styles from './field.module.css';
import { describedBy, Field, type FieldTexts } from './field-parts.tsx';
import { Icon } from './icons.tsx';

export interface SelectOption<Value extends string> {
  readonly value: Value;
  readonly text: string;
  /** The language of the text, where it is not that of the page. */
  readonly lang?: string;
}

export interface SelectProps<Value extends string> extends FieldTexts {
  readonly value: Value;
  readonly options: readonly SelectOption<Value>[];
  readonly onChange: (value: Value) => void;
  readonly isDisabled?: boolean;
}

/** A choice among a few values, by the select of the device. */
export function Select<Value extends string>(props: SelectProps<Value>): ReactNode {
  const { label, isLabelHidden = false, description, error, value, options, onChange, isDisabled = false } = props;
  const id = useId();
  return (
    <Field id={id} label={label} isLabelHidden={isLabelHidden} description={description} error={error}>
      <span className={styles.group}>
        <select
          {...describedBy(id, { description, error })}
          id={id}
          className={styles.input}
          value={value}
          disabled={isDisabled}
          onChange={(event) => {
            const chosen = options.find((option) => option.value === event.currentTarget.value);
            if (chosen !== undefined) onChange(chosen.value);
          }}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value} lang={option.lang}>
              {option.text}
            </option>
          ))}
        </select>
        <Icon name="chevron" />
      </span>
    </Field>
  );
}
