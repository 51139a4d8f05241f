import { fieldLabel } from '@guild-settings/i18n';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import { Button } from '../design/button.tsx';
import { Notice } from '../design/notice.tsx';
import type { ScalarField } from '../draft/fields.ts';
import { lastChangeQuery } from './last-change.ts';
import styles from './setting.module.css';
import { useSettings } from './settings-context.ts';
import { valueText } from './value-text.ts';
import { usePersonName, useTime } from './words.ts';

/** A setting that this person and another one have set to different values: both are shown, and one is chosen. */
export function Conflict({ field }: { readonly field: ScalarField }): ReactNode {
  const { guild, draft, words } = useSettings();
  const { t } = words;
  const time = useTime();
  const id = useId();
  const theirs = valueText(field, draft.theirs.settings, words);
  const mine = valueText(field, draft.settings, words);
  const known = draft.theirs.changedBy[field];
  // A draft that was kept meets a record whose events this page has not received.
  const { data: last } = useQuery({ ...lastChangeQuery(guild, field, draft.theirs), enabled: known === undefined });
  const change = known ?? last ?? undefined;
  const who = usePersonName(change?.actor);
  const text =
    change === undefined || who === undefined
      ? t('conflict.textUnknown', { theirs, mine })
      : t('conflict.text', { who, time: time(change.at), theirs, mine });
  return (
    <fieldset className={styles.conflict} aria-describedby={id} data-conflict="" tabIndex={-1}>
      <legend className="visually-hidden">{t('conflict.label', { field: fieldLabel(field, words) })}</legend>
      <Notice tone="warning" role="status">
        <p id={id}>{text}</p>
        <div className={styles.choices}>
          <Button onPress={() => draft.store.resolve(field, 'mine')}>{t('conflict.keepMine', { value: mine })}</Button>
          <Button onPress={() => draft.store.resolve(field, 'theirs')}>
            {t('conflict.takeTheirs', { value: theirs })}
          </Button>
        </div>
      </Notice>
    </fieldset>
  );
}
