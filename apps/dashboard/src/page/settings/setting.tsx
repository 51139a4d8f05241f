import type { ReactNode } from 'react';
import type { FieldChangedBy } from '../draft/draft.ts';
import { type Field, SCALAR_FIELDS } from '../draft/fields.ts';
import { Conflict } from './conflict.tsx';
import styles from './setting.module.css';
import { useSettings } from './settings-context.ts';
import { usePersonName, useTime } from './words.ts';

/** A setting, and below it what others did to it. */
export function Setting({ field, children }: { readonly field: Field; readonly children: ReactNode }): ReactNode {
  const { draft } = useSettings();
  const conflict = SCALAR_FIELDS.find((name) => name === field && draft.conflicts.includes(name));
  const change = draft.theirs.changedBy[field];
  return (
    <div className={styles.setting} data-field={field}>
      {children}
      {conflict !== undefined ? <Conflict field={conflict} /> : change !== undefined && <ChangedBy change={change} />}
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
