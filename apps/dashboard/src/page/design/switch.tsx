import { type ReactNode, useId } from 'react';
import { Switch as AriaSwitch, type SwitchProps as AriaSwitchProps } from 'react-aria-components/Switch';
import styles from './switch.module.css';

export interface SwitchProps extends Omit<AriaSwitchProps, 'className' | 'style' | 'children'> {
  readonly label: ReactNode;
  /** What it does, read out with its label. */
  readonly description?: ReactNode;
}

/** Something that is on or off. */
export function Switch({ label, description, ...props }: SwitchProps): ReactNode {
  const id = useId();
  return (
    <div className={styles.field}>
      <AriaSwitch
        {...props}
        className={styles.switch ?? ''}
        {...(description !== undefined && { 'aria-describedby': id })}
      >
        <span>{label}</span>
        <span aria-hidden="true" className={styles.track}>
          <span className={styles.thumb} />
        </span>
      </AriaSwitch>
      {description !== undefined && (
        <p id={id} className={styles.description}>
          {description}
        </p>
      )}
    </div>
  );
}
