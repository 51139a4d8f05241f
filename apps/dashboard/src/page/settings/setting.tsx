import type { Setting } from '@guild-settings/contract/settings';
import type { ReactNode } from 'react';
import type { FieldChangedBy } from '../draft/draft.ts';
import { Conflict } from './conflict.tsx';
import styles from './setting.module.css';
import { useSettings } from './settings-context.ts';
import { usePersonName, useTime } from './words.ts';

interface SettingFrameProps {
  readonly setting: Setting;
  readonly children: ReactNode;
}

/** A setting, and below it what others did to it. */
export function SettingFrame({ setting, children }: SettingFrameProps): ReactNode {
  const { draft } = useSettings();
  const { field } = setting;
  const change = draft.theirs.changedBy[field];
  return (
    <div className={styles.setting} data-field={field}>
      {children}
      {draft.conflicts.includes(field) ? (
        <Conflict setting={setting} />
      ) : (
        change !== undefined && <ChangedBy change={change} />
      )}
    </div>
  );
}

/** Who changed a setting while the page was open. */
function ChangedBy({ change }: { readonly change: FieldChangedBy }): ReactNode {
  const { t } = useSettings().words;
  const time = useTime();
  const who = usePersonName(change.actor);
  if (who === undefined) return null;
  return <p className={styles.changedBy}>{t('changedBy', { who, time: time(change.at) })}</p>;
}
