import type { Actor, ChangedField } from '@guild-settings/contract';
import { isSameValue, listDifference, type Setting } from '@guild-settings/contract/settings';
import { fieldLabel } from '@guild-settings/i18n';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { type ReactNode, useId, useRef } from 'react';
import { Button, Popup } from '../design/button.tsx';
import field from '../design/field.module.css';
import { Icon } from '../design/icons.tsx';
import { LabelNoteContext } from '../design/label-note.tsx';
import { Notice, useAnnouncement } from '../design/panels.tsx';
import { edit, isInConflict, resolve, shownValue } from '../draft/draft.ts';
import { FEATURES, type Field, type FieldChangedBy, featureField, type Theirs, valueIn } from '../draft/fields.ts';
import { timeText } from '../i18n/time.ts';
import { useNames } from '../people/names.ts';
import { sendQuery } from '../service/service.ts';
import { useUser } from '../session/session.ts';
import styles from './settings.module.css';
import { descriptionOf, useDraftPart, useSettings } from './settings-context.ts';
import { valueText, wholeText } from './value-text.ts';

interface SettingFrameProps {
  readonly setting: Setting;
  readonly children: ReactNode;
}

/** A setting, with a mark and a menu if it differs from its default, and changes by others below it. */
export function SettingFrame({ setting, children }: SettingFrameProps): ReactNode {
  const { store, words } = useSettings();
  const { shownField: field } = setting;
  const isConflict = useDraftPart(store, (draft) => isInConflict(draft, field));
  const change = useDraftPart(store, ({ theirs }) => theirs.changedBy[field]);
  // Only if a team has declared settings, and therefore defaults.
  const canReset = words.settings.tag !== undefined && field !== FEATURES.field;
  const isDefault = useDraftPart(store, (draft) =>
    isSameValue(shownValue(draft, field) ?? setting.default, setting.default),
  );
  const isMarked = canReset && !isDefault;
  return (
    // Removed elements inside leave the focus to it.
    <div className={styles.setting} data-field={field} data-resettable={canReset ? '' : undefined} tabIndex={-1}>
      <LabelNoteContext value={isMarked ? words.t('row.changed') : undefined}>{children}</LabelNoteContext>
      {isMarked && <RowMenu setting={setting} />}
      {isConflict ? <Conflict setting={setting} /> : change !== undefined && <ChangedBy change={change} />}
    </div>
  );
}

/** The menu of a setting: resetting it to the default, which it follows from then on. */
function RowMenu({ setting }: { readonly setting: Setting }): ReactNode {
  const { store, saver, words } = useSettings();
  const { shownField: field } = setting;
  const place = useRef<HTMLDivElement>(null);
  const reset = () => {
    // The menu disappears, and would take the focus with it.
    if (place.current !== null) focusAround(place.current);
    store.update(edit, field, setting.default, 'default');
    saver.clearIssues(field);
  };
  return (
    <div ref={place} className={styles.rowMenu}>
      <Popup
        side="menu"
        isIcon
        label={words.t('row.menu', { field: fieldLabel(field, words) })}
        button={<Icon name="more" />}
      >
        {(close) => (
          <Button
            kind="quiet"
            onPress={() => {
              close();
              reset();
            }}
          >
            {words.t('reset', { value: valueText(setting, setting.default, words) })}
          </Button>
        )}
      </Popup>
    </div>
  );
}

/**
 * Moves the focus from an element that is about to be removed to its container: otherwise the keyboard would start
 * again at the top of the page.
 */
export function focusAround(element: HTMLElement): void {
  element.closest<HTMLElement>('[tabindex="-1"]')?.focus({ preventScroll: true });
}

function ChangedBy({ change }: { readonly change: FieldChangedBy }): ReactNode {
  const { t, language } = useSettings().words;
  const who = usePersonName(change.actor);
  if (who === undefined) return null;
  return (
    <p className={styles.changedBy}>
      {t('changedBy', { who, time: timeText(Date.parse(change.at), Date.now(), { language }) })}
    </p>
  );
}

/** A setting that this person and another one have set to different values: both are shown, and one is chosen. */
function Conflict({ setting }: { readonly setting: Setting }): ReactNode {
  const { guild, store, words } = useSettings();
  const { shownField: field } = setting;
  const theirs = useDraftPart(store, (draft) => draft.theirs);
  const mine = useDraftPart(store, (draft) => shownValue(draft, field));
  const value = valueIn(theirs.settings, field) ?? setting.default;
  const [text, whole] = [valueText(setting, value, words), wholeText(setting, value, words)];
  const known = theirs.changedBy[field];
  // A stored draft meets a record whose events this page has not received.
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
      onChoose={(value) => store.update(resolve, field, value)}
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
      onChoose={(value) => store.update(resolve, featureField(name), value)}
    />
  );
}

interface ChoiceProps {
  readonly label: string;
  /** The change by the other person; undefined: unknown, or not read yet. */
  readonly change: FieldChangedBy | undefined;
  readonly isLoading: boolean;
  readonly theirs: string;
  /** The complete value of `theirs` if it is cut off: long texts may only differ at their ends. */
  readonly whole?: string | undefined;
  readonly mine: string;
  readonly onChoose: (value: 'mine' | 'theirs') => void;
}

function Choice({ label, change, isLoading, theirs, whole, mine, onChoose }: ChoiceProps): ReactNode {
  const { t, language } = useSettings().words;
  const id = useId();
  const who = usePersonName(change?.actor);
  const text =
    change === undefined || who === undefined
      ? t('conflict.textUnknown', { theirs, mine })
      : t('conflict.text', { who, time: timeText(Date.parse(change.at), Date.now(), { language }), theirs, mine });
  // Announced once, when the author is known, without the buttons.
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

interface SettingValueProps {
  readonly setting: Setting;
  /** The reason why it cannot be changed while others can. */
  readonly lock?: string;
}

export function SettingValue({ setting, lock }: SettingValueProps): ReactNode {
  const { store, words } = useSettings();
  // Text that was typed before the setting became read-only is not its value.
  const value = useDraftPart(store, ({ theirs }) => valueIn(theirs.settings, setting.shownField)) ?? setting.default;
  const description = descriptionOf(setting, words);
  return (
    <dl className={field.field} data-field={setting.shownField} data-resettable={words.settings.tag && ''}>
      <dt className={field.label} dir="auto">
        {fieldLabel(setting.field, words)}
      </dt>
      <dd className={field.control}>
        <bdi className={styles.value}>{wholeText(setting, value, words)}</bdi>
        {lock !== undefined && (
          <span className={styles.lock}>
            <Icon name="lock" size="1rem" />
            {lock}
          </span>
        )}
      </dd>
      {description !== undefined && (
        <dd className={field.description} dir="auto">
          {description}
        </dd>
      )}
    </dl>
  );
}

/** Returns the name of the author of a change; undefined: none, or not loaded yet. */
function usePersonName(actor: Actor | undefined): string | undefined {
  const { t } = useSettings().words;
  const user = useUser();
  const isReader = actor?.kind === 'user' && actor.id === user?.id;
  const { nameOf, isPending } = useNames(actor === undefined || isReader ? [] : [actor]);
  if (isReader) return t('you');
  return actor === undefined || isPending ? undefined : nameOf(actor);
}

/** Number of changes of features in which the newest one of a feature is searched. */
const SEARCHED = 20;

/**
 * Returns the query of the newest change of a setting in the history, for a record without its author; null: not in the
 * history.
 */
function lastChangeQuery(guild: string, field: Field, { upTo }: Theirs) {
  return queryOptions({
    queryKey: ['last-change', guild, field, upTo] as const,
    queryFn: async ({ signal }): Promise<FieldChangedBy | null> => {
      // Later changes are not displayed yet.
      const input = { guild, field: field as ChangedField, before: upTo + 1, limit: 1 };
      const { data } = await sendQuery('guilds.history', input, { signal });
      return data.entries[0] ?? null;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Returns the query of the newest change that switched a feature; null: not among the newest changes of features. */
function lastSwitchQuery(guild: string, name: string, { upTo }: Theirs) {
  return queryOptions({
    queryKey: ['last-switch', guild, name, upTo] as const,
    queryFn: async ({ signal }): Promise<FieldChangedBy | null> => {
      const field = FEATURES.field as ChangedField;
      const input = { guild, field, before: upTo + 1, limit: SEARCHED };
      const { data } = await sendQuery('guilds.history', input, { signal });
      const isOfFeature = ({ changes }: (typeof data.entries)[number]) => {
        const { added = [], removed = [] } = listDifference(changes[field]?.from, changes[field]?.to) ?? {};
        return added.includes(name) || removed.includes(name);
      };
      return data.entries.find(isOfFeature) ?? null;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
}
