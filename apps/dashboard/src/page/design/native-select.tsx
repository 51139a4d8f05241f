import { type ReactNode, useId } from 'react';
import styles from './native-select.module.css';

interface NativeSelectProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly text: string; readonly lang?: string }[];
  readonly onChange: (value: Value) => void;
}

/** One of a few values by the select of the device, which needs no code: for what the first page has. */
export function NativeSelect<Value extends string>(props: NativeSelectProps<Value>): ReactNode {
  const { label, value, options, onChange } = props;
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={styles.label}>
        {label}
      </label>
      <select
        id={id}
        className={styles.select}
        value={value}
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
    </div>
  );
}
