import { type ReactNode, useId } from 'react';
import { describedBy, FieldDescription, FieldError } from './field-parts.tsx';
import styles from './switch.module.css';

export interface SwitchProps {
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
        <span>{label}</span>
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
      <FieldError id={id} error={error} />
      <FieldDescription id={id} description={description} />
    </div>
  );
}
