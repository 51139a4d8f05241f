import { type ReactNode, useId } from 'react';
import styles from './field.module.css';
import { Icon } from './icons.tsx';
import { LabelNote } from './label-note.tsx';

export interface FieldTexts {
  readonly label: string;
  /** True: the label is only for screen readers, because the surroundings show the same text. */
  readonly isLabelHidden?: boolean;
  /** Empty: none. */
  readonly description?: ReactNode;
  readonly error?: string | undefined;
}

/** Returns the attributes that connect a control with the texts of its `Field`. */
export function describedBy(id: string, { description, error }: Pick<FieldTexts, 'description' | 'error'>) {
  const ids = [error !== undefined && `${id}-error`, isShown(description) && `${id}-description`];
  return {
    'aria-describedby': ids.filter((one) => one !== false).join(' ') || undefined,
    'aria-invalid': error === undefined ? undefined : true,
  } as const;
}

/** Returns true for a description that is not empty: joined sentences may be. */
export function isShown(description: ReactNode): boolean {
  return description !== undefined && description !== '';
}

interface FieldProps extends FieldTexts {
  readonly id: string;
  readonly children: ReactNode;
}

/** A control with its label, error and description; side by side within `data-layout="rows"`. */
export function Field({ id, label, isLabelHidden = false, description, error, children }: FieldProps): ReactNode {
  return (
    <div className={styles.field}>
      <div className={isLabelHidden ? 'visually-hidden' : styles.label} dir="auto">
        <label htmlFor={id}>{label}</label>
        {!isLabelHidden && <LabelNote />}
      </div>
      <div className={styles.control}>
        {children}
        <FieldError id={id} error={error} />
      </div>
      <FieldDescription id={id} description={description} />
    </div>
  );
}

/** A picture of a field's value, in front of it. */
export function Start({ children }: { readonly children: ReactNode }): ReactNode {
  return children != null && children !== false && <span className={styles.start}>{children}</span>;
}

export function FieldDescription({ id, description }: Pick<FieldProps, 'id' | 'description'>): ReactNode {
  if (!isShown(description)) return null;
  return (
    <p id={`${id}-description`} className={styles.description} dir="auto">
      {description}
    </p>
  );
}

export function FieldError({ id, error }: Pick<FieldProps, 'id' | 'error'>): ReactNode {
  if (error === undefined) return null;
  return (
    <p id={`${id}-error`} className={styles.error}>
      <Icon name="warning" />
      <span>{error}</span>
    </p>
  );
}

export interface SelectOption<Value extends string> {
  readonly value: Value;
  readonly text: string;
  /** The language of the text, if it differs from that of the page. */
  readonly lang?: string;
}

interface SelectProps<Value extends string> extends FieldTexts {
  readonly value: Value;
  readonly options: readonly SelectOption<Value>[];
  readonly onChange: (value: Value) => void;
  readonly isDisabled?: boolean;
}

/** A choice among a few values, using the device's own select. */
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
          dir="auto"
          value={value}
          disabled={isDisabled}
          onChange={(event) => {
            const chosen = options.find((option) => option.value === event.currentTarget.value);
            if (chosen !== undefined) onChange(chosen.value);
          }}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value} lang={option.lang} dir="auto">
              {option.text}
            </option>
          ))}
        </select>
        <Icon name="chevron" />
      </span>
    </Field>
  );
}
