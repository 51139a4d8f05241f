import type { Setting } from '@guild-settings/contract/settings';
import type { ReactNode } from 'react';
import { Card } from '../design/card.tsx';
import field from '../design/field.module.css';
import { SETTINGS } from '../draft/fields.ts';
import { useSettings } from './settings-context.ts';
import styles from './settings-form.module.css';
import { useField } from './use-field.ts';
import { valueText } from './value-text.ts';

/** The settings as texts, for a person who may not change them. */
export function SettingValues(): ReactNode {
  const { t } = useSettings().words;
  return (
    <>
      <p>{t('readOnly')}</p>
      <Card className={styles.values}>
        <dl className={styles.rows} data-layout="rows">
          {SETTINGS.map((setting) => (
            <SettingValue key={setting.field} setting={setting} />
          ))}
        </dl>
      </Card>
    </>
  );
}

function SettingValue({ setting }: { readonly setting: Setting }): ReactNode {
  const { draft, words } = useSettings();
  const { label, description } = useField(setting);
  return (
    <div className={field.field} data-field={setting.field}>
      <dt className={field.label}>{label}</dt>
      <dd className={field.control}>{valueText(setting, draft.theirs.settings, words)}</dd>
      {description !== undefined && <dd className={field.description}>{description}</dd>}
    </div>
  );
}
