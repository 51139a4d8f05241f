import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Field } from '../draft/fields.ts';
import { Conflict } from './conflict.tsx';
import styles from './setting.module.css';
import { useSettings } from './settings-context.ts';
import { usePersonName, useTime } from './words.ts';

/** A setting, and below it what others did to it. */
export function Setting({ field, children }: { readonly field: Field; readonly children: ReactNode }): ReactNode {
  const { draft } = useSettings();
  const conflict = draft.conflicts.find((name) => name === field);
  return (
    <div className={styles.setting} data-field={field}>
      {children}
      {conflict === undefined ? <ChangedBy field={field} /> : <Conflict field={conflict} />}
    </div>
  );
}

/** Who changed a setting while the page was open. */
function ChangedBy({ field }: { readonly field: Field }): ReactNode {
  const { t } = useTranslation('settings');
  const { draft } = useSettings();
  const time = useTime();
  const change = draft.theirs.changedBy[field];
  const who = usePersonName(change?.actor);
  if (change === undefined || who === undefined) return null;
  return <p className={styles.changedBy}>{t('changedBy', { who, time: time(change.at) })}</p>;
}
