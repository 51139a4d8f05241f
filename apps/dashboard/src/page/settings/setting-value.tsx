import type { Setting } from '@guild-settings/contract/settings';
import type { ReactNode } from 'react';
import field from '../design/field.module.css';
import { Icon } from '../design/icons.tsx';
import styles from './setting.module.css';
import { useSettings } from './settings-context.ts';
import { useField } from './use-field.ts';
import { valueText } from './value-text.ts';

interface SettingValueProps {
  readonly setting: Setting;
  /** Why it cannot be changed, where others can be. */
  readonly lock?: string;
}

/** A setting as a text, for a person who may not change it. */
export function SettingValue({ setting, lock }: SettingValueProps): ReactNode {
  const { words } = useSettings();
  const { label, description, value } = useField(setting);
  return (
    <dl className={field.field} data-field={setting.field}>
      <dt className={field.label}>{label}</dt>
      <dd className={field.control}>
        <bdi>{valueText(setting, value, words)}</bdi>
        {lock !== undefined && (
          <span className={styles.lock}>
            <Icon name="lock" size="1rem" />
            {lock}
          </span>
        )}
      </dd>
      {description !== undefined && <dd className={field.description}>{description}</dd>}
    </dl>
  );
}
