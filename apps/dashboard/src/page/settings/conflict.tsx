import type { Setting } from '@guild-settings/contract/settings';
import { fieldLabel } from '@guild-settings/i18n';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import { Button } from '../design/button.tsx';
import { Notice, useAnnouncement } from '../design/panels.tsx';
import { type FieldChangedBy, shownValue } from '../draft/draft.ts';
import { featureField, valueIn } from '../draft/fields.ts';
import { useDraftPart } from '../draft/use-draft.ts';
import { lastChangeQuery, lastSwitchQuery } from './last-change.ts';
import styles from './setting.module.css';
import { useSettings } from './settings-context.ts';
import { valueText, wholeText } from './value-text.ts';
import { usePersonName, useTime } from './words.ts';

/** A setting that this person and another one have set to different values: both are shown, and one is chosen. */
export function Conflict({ setting }: { readonly setting: Setting }): ReactNode {
  const { guild, store, words } = useSettings();
  const { field } = setting;
  const theirs = useDraftPart(store, (draft) => draft.theirs);
  const mine = useDraftPart(store, (draft) => shownValue(draft, field));
  const value = valueIn(theirs.settings, field) ?? setting.default;
  const [text, whole] = [valueText(setting, value, words), wholeText(setting, value, words)];
  const known = theirs.changedBy[field];
  // A draft that was kept meets a record whose events this page has not received.
  const { data: last, isLoading } = useQuery({
    ...lastChangeQuery(guild, field, theirs),
    enabled: known === undefined,
  });
  return (
    <Choice
      label={fieldLabel(field, words)}
      change={known ?? last ?? undefined}
      isLoading={isLoading}
      theirs={text}
      whole={whole.length > text.length ? whole : undefined}
      mine={valueText(setting, mine, words)}
      onChoose={(value) => store.resolve(field, value)}
    />
  );
}

/** A feature that this person has switched and another one has switched back. */
export function FeatureConflict({ name, label }: { readonly name: string; readonly label: string }): ReactNode {
  const { guild, store, words } = useSettings();
  const theirs = useDraftPart(store, (draft) => draft.theirs);
  const isOn = useDraftPart(store, (draft) => shownValue(draft, featureField(name))) === true;
  const { data: last, isLoading } = useQuery(lastSwitchQuery(guild, name, theirs));
  const textOf = (isOn: boolean) => words.shared(isOn ? 'value.on' : 'value.off');
  return (
    <Choice
      label={label}
      change={last ?? undefined}
      isLoading={isLoading}
      theirs={textOf(!isOn)}
      mine={textOf(isOn)}
      onChoose={(value) => store.resolve(featureField(name), value)}
    />
  );
}

interface ChoiceProps {
  readonly label: string;
  /** The change of the other person; undefined: not known, or not read yet. */
  readonly change: FieldChangedBy | undefined;
  /** True: the change is still read. */
  readonly isLoading: boolean;
  readonly theirs: string;
  /** All of `theirs`, where it is cut off: long texts may differ at their ends alone. */
  readonly whole?: string | undefined;
  readonly mine: string;
  readonly onChoose: (value: 'mine' | 'theirs') => void;
}

function Choice({ label, change, isLoading, theirs, whole, mine, onChoose }: ChoiceProps): ReactNode {
  const { t } = useSettings().words;
  const time = useTime();
  const id = useId();
  const who = usePersonName(change?.actor);
  const text =
    change === undefined || who === undefined
      ? t('conflict.textUnknown', { theirs, mine })
      : t('conflict.text', { who, time: time(change.at), theirs, mine });
  // Read out once, when it is known who it was, and without the buttons.
  const isPending = isLoading || (change !== undefined && who === undefined);
  useAnnouncement(isPending ? undefined : text);
  return (
    <fieldset className={styles.conflict} aria-describedby={id} data-conflict="" tabIndex={-1}>
      <legend className="visually-hidden">{t('conflict.label', { field: label })}</legend>
      <Notice tone="warning">
        <p id={id}>{text}</p>
        {whole !== undefined && <bdi className={styles.value}>{whole}</bdi>}
        <div className={styles.choices}>
          <Button onPress={() => onChoose('mine')}>{t('conflict.keepMine', { value: mine })}</Button>
          <Button onPress={() => onChoose('theirs')}>{t('conflict.takeTheirs', { value: theirs })}</Button>
        </div>
      </Notice>
    </fieldset>
  );
}
