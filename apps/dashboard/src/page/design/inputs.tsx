import { type InputHTMLAttributes, type ReactNode, useId } from 'react';
import field from './field.module.css';
import { describedBy, Field, FieldDescription, FieldError, type FieldTexts, Start } from './field.tsx';
import { Icon } from './icons.tsx';
import styles from './inputs.module.css';
import { LabelNote } from './label-note.tsx';

type Attributes = Omit<
  InputHTMLAttributes<HTMLInputElement>,
  'className' | 'style' | 'children' | 'disabled' | 'readOnly' | 'id' | 'value' | 'onChange'
>;

interface TextFieldProps extends Attributes, FieldTexts {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly isDisabled?: boolean;
  readonly isReadOnly?: boolean;
  readonly unit?: string | undefined;
  /** A picture of the value, in front of it. */
  readonly start?: ReactNode;
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
    start,
    children,
    ...attributes
  } = props;
  const id = useId();
  return (
    <Field id={id} label={label} description={description} error={error}>
      <span className={field.group}>
        <Start>{start}</Start>
        <input
          type="text"
          autoComplete="off"
          dir="auto"
          {...attributes}
          {...describedBy(id, { description, error })}
          id={id}
          className={field.input}
          value={value}
          disabled={isDisabled}
          readOnly={isReadOnly}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
        {attributes.role === 'combobox' && <Icon name="chevron" />}
        {unit !== undefined && <bdi className={field.unit}>{unit}</bdi>}
        {children}
      </span>
    </Field>
  );
}

interface SwitchProps {
  readonly label: ReactNode;
  readonly description?: ReactNode;
  readonly error?: string | undefined;
  readonly isSelected: boolean;
  readonly onChange: (isSelected: boolean) => void;
  readonly isDisabled?: boolean;
}

export function Switch(props: SwitchProps): ReactNode {
  const { label, description, error, isSelected, onChange, isDisabled = false } = props;
  const id = useId();
  return (
    <div className={styles.field}>
      <label className={styles.switch}>
        <span dir="auto">{label}</span>
        <input
          {...describedBy(id, { description, error })}
          type="checkbox"
          // biome-ignore lint/a11y/useAriaPropsForRole: a checkbox has its own state.
          role="switch"
          className={styles.track}
          checked={isSelected}
          disabled={isDisabled}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
      </label>
      <LabelNote />
      <FieldError id={id} error={error} />
      <FieldDescription id={id} description={description} />
    </div>
  );
}
