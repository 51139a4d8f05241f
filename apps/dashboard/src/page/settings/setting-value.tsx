import type { Setting } from '@guild-settings/contract/settings';
import { fieldLabel } from '@guild-settings/i18n';
import type { ReactNode } from 'react';
import field from '../design/field.module.css';
import { Icon } from '../design/icons.tsx';
import { valueIn } from '../draft/fields.ts';
import { useDraftPart } from '../draft/use-draft.ts';
import styles from './setting.module.css';
import { useSettings } from './settings-context.ts';
import { descriptionOf } from './use-field.ts';
import { wholeText } from './value-text.ts';

interface SettingValueProps {
  readonly setting: Setting;
  /** The reason why it cannot be changed, where others can be. */
  readonly lock?: string;
}

export function SettingValue({ setting, lock }: SettingValueProps): ReactNode {
  const { store, words } = useSettings();
  // Text that was typed before the setting became read-only is not its value.
  const value = useDraftPart(store, ({ theirs }) => valueIn(theirs.settings, setting.field)) ?? setting.default;
  const description = descriptionOf(setting, words);
  return (
    <dl className={field.field} data-field={setting.field}>
      <dt className={field.label}>{fieldLabel(setting.field, words)}</dt>
      <dd className={field.control}>
        <bdi className={styles.value}>{wholeText(setting, value, words)}</bdi>
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
