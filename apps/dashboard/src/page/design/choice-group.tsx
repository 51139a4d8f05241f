import { type ReactNode, useId } from 'react';
import { classNames } from './button.tsx';
import styles from './choice-group.module.css';
import field from './field.module.css';
import { describedBy, FieldDescription, FieldError, type FieldTexts, type SelectOption } from './field.tsx';

interface ChoiceGroupProps extends FieldTexts {
  readonly type: 'radio' | 'checkbox';
  readonly values: readonly string[];
  readonly options: readonly SelectOption<string>[];
  readonly onChange: (value: string) => void;
}

/** A few values that are all shown, of which one or several are chosen. */
export function ChoiceGroup({
  label,
  description,
  error,
  type,
  values,
  options,
  onChange,
}: ChoiceGroupProps): ReactNode {
  const id = useId();
  const { 'aria-describedby': describedById } = describedBy(id, { description, error });
  return (
    <fieldset
      aria-labelledby={`${id}-label`}
      aria-describedby={describedById}
      className={classNames(field.field, styles.group)}
    >
      <span id={`${id}-label`} className={field.label}>
        {label}
      </span>
      <div className={field.control}>
        {options.map(({ value, text, lang }) => (
          <label key={value} className={styles.choice} lang={lang}>
            <input
              type={type}
              name={id}
              className={styles.mark}
              checked={values.includes(value)}
              aria-invalid={error === undefined ? undefined : true}
              onChange={() => onChange(value)}
            />
            <bdi>{text}</bdi>
          </label>
        ))}
        <FieldError id={id} error={error} />
      </div>
      <FieldDescription id={id} description={description} />
    </fieldset>
  );
}
