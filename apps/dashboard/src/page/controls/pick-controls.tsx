import type { GuildChannel, GuildRole } from '@guild-settings/contract';
import type { Setting } from '@guild-settings/contract/settings';
import { channelNote, roleNote } from '@guild-settings/i18n';
import { useQuery } from '@tanstack/react-query';
import { type FocusEvent, type ReactNode, useState } from 'react';
import { flushSync } from 'react-dom';
import type { FieldTexts } from '../design/field.tsx';
import { TextField } from '../design/inputs.tsx';
import type { PickerGroup, PickerOption } from '../design/picker.tsx';
import { channelIdIn, channelName, groupsOf } from '../people/names.ts';
import { rolesQuery } from '../people/roles.ts';
import { useChannels } from '../people/use-channels.ts';
import { slugOf } from '../service/failure.ts';
import { useField, useSettings } from '../settings/settings-context.ts';
import type { ValueWords } from '../settings/value-text.ts';
import styles from './controls.module.css';
import { ListControl, Tokens } from './list-control.tsx';
import { PickNotice } from './pick-notice.tsx';
import { type ControlProps, joinedTexts } from './text-controls.tsx';

export function PickControl({ setting }: ControlProps): ReactNode {
  const { guild, words } = useSettings();
  const { set, value, texts } = useField();
  const pickable = usePickable(setting, [String(value)]);
  return (
    <>
      <PickField {...texts} pickable={pickable} value={String(value)} onPick={set} />
      <PickNotice guild={guild} setting={setting} ids={[String(value)]} words={words} />
    </>
  );
}

export function PickManyControl({ setting }: ControlProps): ReactNode {
  const { guild, words } = useSettings();
  const { t } = words;
  const { set, value, texts } = useField();
  const ids = value as readonly string[];
  const pickable = usePickable(setting, ids);
  // Ids are typed where the list cannot be read.
  if (pickable.isMissing) return <ListControl setting={setting} help={pickable.idHelp} />;
  const isFull = setting.many !== undefined && ids.length >= setting.many.max;
  const hint = isFull ? t('list.full', { count: ids.length }) : undefined;
  return (
    <>
      <PickField
        {...texts}
        description={joinedTexts(texts.description, hint)}
        pickable={pickable}
        without={ids}
        value={null}
        isFull={isFull}
        onPick={(id) => !ids.includes(id) && set([...ids, id])}
      />
      <Tokens
        label={texts.label}
        tokens={ids.map((id) => ({ id, text: pickable.textOf(id), start: pickable.startOf(id) }))}
        removeLabel={(text) => t('list.remove', { item: text })}
        onRemove={(id) => set(ids.filter((one) => one !== id))}
      />
      <PickNotice guild={guild} setting={setting} ids={ids} words={words} />
    </>
  );
}

interface PickFieldProps extends FieldTexts {
  readonly pickable: Pickable;
  /** Values that are picked already and not offered again. */
  readonly without?: readonly string[];
  /** The value; null: each one that is picked is added to a list. */
  readonly value: string | null;
  readonly onPick: (id: string) => void;
  readonly isFull?: boolean;
}

/** A channel or a role: picked from a list, or its id where the list cannot be read. */
function PickField(props: PickFieldProps): ReactNode {
  const { pickable, without = [], value, onPick, isFull = false, label, description, error } = props;
  const { t, language } = useSettings().words;
  const { Picker, isFocused, isMissing, load } = usePicker();
  const { kind, groups, idLabel = label, special, typed, onType, textOf } = pickable;
  const texts = { label, description, error };
  if (groups === undefined || isMissing || isFull) {
    const isById = !isFull && (pickable.isMissing || isMissing) && value !== null;
    return (
      <TextField
        {...texts}
        label={isById ? idLabel : label}
        description={isById ? pickable.idHelp : description}
        value={value ?? ''}
        onChange={onPick}
        isReadOnly={!isById}
        inputMode="numeric"
        spellCheck={false}
      />
    );
  }
  if (Picker === undefined) {
    return (
      <TextField
        {...texts}
        value={value === null ? '' : textOf(value)}
        placeholder={t(`${kind}.search`)}
        onChange={() => {}}
        isReadOnly
        role="combobox"
        aria-expanded={false}
        aria-haspopup="listbox"
        onFocus={load}
      />
    );
  }
  return (
    <Picker
      {...texts}
      language={language}
      placeholder={t(`${kind}.search`)}
      openLabel={t(`${kind}.show`)}
      listLabel={t(`${kind}.list`)}
      empty={t(`${kind}.noMatch`)}
      autoFocus={isFocused}
      typed={(text) => {
        const option = typed(text);
        return option && without.includes(option.id) ? undefined : option;
      }}
      special={value === null ? [] : special(value)}
      groups={groups.map((group) => ({
        ...group,
        options: group.options.filter(({ id }) => !without.includes(id)),
      }))}
      value={value}
      onPick={onPick}
      onType={onType}
    />
  );
}

interface Pickable {
  readonly kind: 'channel' | 'role';
  readonly groups: readonly PickerGroup[] | undefined;
  /** The label of the field of an id; undefined: that of its setting, of which there may be several. */
  readonly idLabel: string | undefined;
  /** The description of the field of an id: without the token of the bot, the service has no list. */
  readonly idHelp: string;
  readonly isMissing: boolean;
  /** Returns what is offered beside the groups while a value is picked: none, and the value itself where no group has it. */
  readonly special: (value: string) => readonly PickerOption[];
  /** Returns what is offered for a text that was typed: the id of a channel or a thread, or a link to one. */
  readonly typed: (text: string) => PickerOption | undefined;
  /** Called with what is typed, so that it can be named. */
  readonly onType: (text: string) => void;
  readonly textOf: (id: string) => string;
  readonly startOf: (id: string) => ReactNode;
}

/**
 * Returns the channels or the roles that a setting offers.
 * @param ids those that are picked
 */
function usePickable(setting: Setting, ids: readonly string[]): Pickable {
  const { guild, words } = useSettings();
  const { t } = words;
  const [typedId, setTypedId] = useState('');
  const isRole = setting.declared.kind === 'role';
  const kind = isRole ? 'role' : 'channel';
  const channels = useChannels(guild, [...ids, typedId], { enabled: !isRole });
  const roles = useQuery({ ...rolesQuery(guild), enabled: isRole });
  const { error } = isRole ? roles : channels;
  const { groups, nameOf, startOf } = isRole
    ? rolesOffered(roles.data, guild, words)
    : channelsOffered(channels.channels, setting, words);
  const none = t(`none.${setting.field}` as never, { defaultValue: t('none.other') });
  const textOf = (id: string) => (id === '' ? none : (nameOf(id) ?? `${t(`${kind}.unknown`)} ${id}`));
  const isOffered = (value: string) => groups?.some(({ options }) => options.some(({ id }) => id === value));
  // A value that is not in the list stays until another one is picked.
  const other = (id: string) => ({
    id,
    text: textOf(id),
    note: nameOf(id) === undefined ? t(`${kind}.unknownNote`) : undefined,
  });
  const idIn = (text: string) => (isRole ? undefined : channelIdIn(text));
  return {
    kind,
    groups,
    idLabel: !isRole && setting.place === 'record' ? t('channel.idLabel') : undefined,
    idHelp: t(slugOf(error) === 'bot-token-missing' ? `${kind}.notHere` : `${kind}.byId`),
    isMissing: error !== null,
    special: (value) => [{ id: '', text: none }, ...(value === '' || isOffered(value) ? [] : [other(value)])],
    typed(text) {
      const id = idIn(text);
      return id === undefined ? undefined : { id, text: nameOf(id) ?? t('channel.useId', { id }) };
    },
    onType: (text) => setTypedId(idIn(text) ?? ''),
    textOf,
    startOf,
  };
}

interface Offered extends Pick<Pickable, 'groups' | 'startOf'> {
  readonly nameOf: (id: string) => string | undefined;
}

function channelsOffered(channels: readonly GuildChannel[] | undefined, setting: Setting, words: ValueWords): Offered {
  return {
    groups:
      channels &&
      groupsOf(channels, setting).map(({ id, category, channels: members }) => ({
        id,
        heading: category ?? words.t('channel.noCategory'),
        options: members.map((channel) => ({
          id: channel.id,
          text: `#${channel.name}`,
          note: channelNote(setting, channel, words),
        })),
      })),
    nameOf: (id) => channelName(id, channels),
    startOf: () => undefined,
  };
}

function rolesOffered(roles: readonly GuildRole[] | undefined, guild: string, words: ValueWords): Offered {
  const find = (id: string) => roles?.find((one) => one.id === id);
  const startOf = (role: GuildRole | undefined) =>
    role && role.color !== 0 && <span className={styles.swatch} style={{ background: colorOf(role) }} />;
  const options = roles?.map((role) => ({
    id: role.id,
    text: `@${role.name}`,
    note: roleNote(role, words),
    start: startOf(role),
  }));
  // Roles that the bot can give are what is meant nearly always.
  const sorted = options && [...options.filter(({ note }) => !note), ...options.filter(({ note }) => note)];
  return {
    groups: sorted && [{ id: 'roles', options: sorted }],
    nameOf: (id) => (id === guild ? '@everyone' : find(id) && `@${find(id)?.name}`),
    startOf: (id) => startOf(find(id)),
  };
}

function colorOf({ color }: GuildRole): string {
  return `#${color.toString(16).padStart(6, '0')}`;
}

/**
 * Loads the picker, which is a third of the size of this page, when its field gets the focus. `isFocused`: the picker replaces a field that
 * has the focus.
 */
function usePicker() {
  const [loaded, setLoaded] = useState<{ readonly Picker?: PickerType; readonly isFocused: boolean }>({
    isFocused: false,
  });
  const [isMissing, setMissing] = useState(false);
  const load = ({ currentTarget: field }: FocusEvent) => {
    import('../design/picker.tsx').then(
      // The focus may have moved on meanwhile. It cannot before the picker is there: rendered later, the picker would take it back.
      ({ Picker }) => flushSync(() => setLoaded({ Picker, isFocused: document.activeElement === field })),
      () => setMissing(true),
    );
  };
  return { ...loaded, isMissing, load };
}

type PickerType = typeof import('../design/picker.tsx').Picker;
