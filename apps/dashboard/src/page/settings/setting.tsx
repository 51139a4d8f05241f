import { isSameValue, type Setting } from '@guild-settings/contract/settings';
import type { MouseEvent, ReactNode } from 'react';
import { focusAround } from '../design/focus-around.ts';
import { type FieldChangedBy, isInConflict, shownValue } from '../draft/draft.ts';
import { FEATURES } from '../draft/fields.ts';
import { useDraftPart } from '../draft/use-draft.ts';
import { Conflict } from './conflict.tsx';
import styles from './setting.module.css';
import { useSettings } from './settings-context.ts';
import { valueText } from './value-text.ts';
import { usePersonName, useTime } from './words.ts';

interface SettingFrameProps {
  readonly setting: Setting;
  readonly children: ReactNode;
}

/** A setting, and below it what others did to it, and the way back to its default. */
export function SettingFrame({ setting, children }: SettingFrameProps): ReactNode {
  const { store } = useSettings();
  const { field } = setting;
  const isConflict = useDraftPart(store, (draft) => isInConflict(draft, field));
  const change = useDraftPart(store, ({ theirs }) => theirs.changedBy[field]);
  return (
    // Elements that are removed in it leave the focus to it.
    <div className={styles.setting} data-field={field} tabIndex={-1}>
      {children}
      {isConflict ? <Conflict setting={setting} /> : change !== undefined && <ChangedBy change={change} />}
      <ResetToDefault setting={setting} />
    </div>
  );
}

/** The way back to the default, which the setting follows from then on. Only where a team has declared settings, and with them defaults. */
function ResetToDefault({ setting }: { readonly setting: Setting }): ReactNode {
  const { store, saver, words } = useSettings();
  const { field } = setting;
  const isDefault = useDraftPart(store, (draft) =>
    isSameValue(shownValue(draft, field) ?? setting.default, setting.default),
  );
  if (isDefault || words.settings.tag === undefined || field === FEATURES.field) return null;
  const reset = ({ currentTarget: button }: MouseEvent<HTMLElement>) => {
    focusAround(button);
    store.edit(field, setting.default, 'default');
    saver.clearIssues(field);
  };
  return (
    <button type="button" className={styles.reset} onClick={reset}>
      {words.t('reset', { value: valueText(setting, setting.default, words) })}
    </button>
  );
}

function ChangedBy({ change }: { readonly change: FieldChangedBy }): ReactNode {
  const { t } = useSettings().words;
  const time = useTime();
  const who = usePersonName(change.actor);
  if (who === undefined) return null;
  return <p className={styles.changedBy}>{t('changedBy', { who, time: time(change.at) })}</p>;
}
