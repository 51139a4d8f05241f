import { type InputHTMLAttributes, type ReactNode, useId } from 'react';
import styles from './field.module.css';
import { describedBy, Field, type FieldTexts } from './field-parts.tsx';
import { Icon } from './icons.tsx';

type Attributes = Omit<
  InputHTMLAttributes<HTMLInputElement>,
  'className' | 'style' | 'children' | 'disabled' | 'readOnly' | 'id' | 'value' | 'onChange'
>;

export interface TextFieldProps extends Attributes, FieldTexts {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly isDisabled?: boolean;
  /** True: it shows a value that cannot be changed here. */
  readonly isReadOnly?: boolean;
  readonly unit?: string | undefined;
  readonly children?: ReactNode;
}

export function TextField(props: TextFieldProps): ReactNode {
  const {
    label,
    description,
    error,
    value,
    onChange,
    isDisabled = false,
    isReadOnly = false,
    unit,
    children,
    ...attributes
  } = props;
  const id = useId();
  return (
    <Field id={id} label={label} description={description} error={error}>
      <span className={styles.group}>
        <input
          type="text"
          autoComplete="off"
          {...attributes}
          {...describedBy(id, { description, error })}
          id={id}
          className={styles.input}
          value={value}
          disabled={isDisabled}
          readOnly={isReadOnly}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
        {attributes.role === 'combobox' && <Icon name="chevron" />}
        {unit !== undefined && <bdi className={styles.unit}>{unit}</bdi>}
        {children}
      </span>
    </Field>
  );
}
