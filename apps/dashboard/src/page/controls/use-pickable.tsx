import type { GuildChannel, GuildRole } from '@guild-settings/contract';
import type { Setting } from '@guild-settings/contract/settings';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { PickerGroup, PickerOption } from '../design/picker.tsx';
import { channelIdIn, channelName, groupsOf, noneText, takesMessages } from '../people/channels.ts';
import { rolesQuery } from '../people/roles.ts';
import { useChannels } from '../people/use-channels.ts';
import { slugOf } from '../service/problem.ts';
import { useSettings } from '../settings/settings-context.ts';
import type { ValueWords } from '../settings/value-text.ts';
import styles from './controls.module.css';

export interface Pickable {
  readonly kind: 'channel' | 'role';
  readonly groups: readonly PickerGroup[] | undefined;
  /** The label of the field of an id; undefined: that of its setting, of which there may be several. */
  readonly idLabel: string | undefined;
  readonly isMissing: boolean;
  /** True: the service has the token of the bot, which it needs for the list. */
  readonly isConfigured: boolean;
  /** Returns what is offered beside the groups while a value is picked: none, and the value itself where no group has it. */
  readonly special: (value: string) => readonly PickerOption[];
  /** Returns what is offered for a text that was typed: the id of a channel or a thread, or a link to one. */
  readonly typed: (text: string) => PickerOption | undefined;
  /** Called with what is typed, so that it can be named. */
  readonly onType?: (text: string) => void;
  readonly textOf: (id: string) => string;
  readonly startOf: (id: string) => ReactNode;
  /** Returns what keeps the bot from using it; undefined: nothing. */
  readonly warningOf: (id: string) => readonly string[] | undefined;
}

/**
 * Returns the channels or the roles that a setting offers.
 * @param ids those that are picked
 */
export function usePickable(setting: Setting, ids: readonly string[]): Pickable {
  const { guild, words } = useSettings();
  const [typedId, setTypedId] = useState('');
  const isRole = setting.declared.kind === 'role';
  const channels = useChannels(guild, [...ids, typedId], { enabled: !isRole });
  const roles = useQuery({ ...rolesQuery(guild), enabled: isRole });
  if (isRole) return pickableRoles(setting, roles.data, roles.error, words);
  return {
    ...pickableChannels(setting, channels, words),
    onType: (text) => setTypedId(channelIdIn(text) ?? ''),
  };
}

function pickableChannels(
  setting: Setting,
  { channels: data, error, isSearching }: ReturnType<typeof useChannels>,
  words: ValueWords,
): Pickable {
  const { t, language } = words;
  const find = (id: string) => data?.find((one) => one.id === id);
  const blocked = (channel: GuildChannel) => takesMessages(setting, channel) && !channel.botCanPost;
  const groups = data && groupsOf(data, setting);
  const offered = groups?.map(({ id, category, channels }) => ({
    id,
    heading: category ?? t('channel.noCategory'),
    options: channels.map((channel) => ({
      id: channel.id,
      text: `#${channel.name}`,
      note: blocked(channel) ? t('channel.cannotPost') : undefined,
    })),
  }));
  return {
    idLabel: setting.place === 'record' ? t('channel.idLabel') : undefined,
    ...namesOf('channel', setting, words, offered, (id) => channelName(id, data)),
    ...availability(error),
    typed(text) {
      const id = channelIdIn(text);
      return id === undefined ? undefined : { id, text: channelName(id, data) ?? t('channel.useId', { id }) };
    },
    startOf: () => undefined,
    warningOf(id) {
      const channel = find(id);
      if (data === undefined || id === '') return undefined;
      if (channel === undefined && isSearching) return undefined;
      if (channel === undefined) return setting.place === 'custom' ? [t('channel.gone', { id })] : undefined;
      if (!blocked(channel)) return undefined;
      const names = channel.missing.map((name) => t(`channel.permission.${name}`, { defaultValue: name }));
      const permissions = new Intl.ListFormat(language).format(names);
      return [
        names.length === 0 ? t('channel.cannotPost') : t('channel.missing', { permissions }),
        t('channel.missingHelp'),
      ];
    },
  };
}

function pickableRoles(
  setting: Setting,
  data: readonly GuildRole[] | undefined,
  error: unknown,
  words: ValueWords,
): Pickable {
  const { t } = words;
  const find = (id: string) => data?.find((one) => one.id === id);
  const noteOf = ({ managed, assignable }: GuildRole) =>
    managed ? t('role.managed') : assignable ? undefined : t('role.cannotGive');
  const startOf = (role: GuildRole | undefined) =>
    role && role.color !== 0 && <span className={styles.swatch} style={{ background: colorOf(role) }} />;
  // Roles that the bot can give are what is meant nearly always.
  const sorted = data && [...data.filter((role) => noteOf(role) === undefined), ...data.filter((role) => noteOf(role))];
  const options = sorted?.map((role) => ({
    id: role.id,
    text: `@${role.name}`,
    note: noteOf(role),
    start: startOf(role),
  }));
  return {
    idLabel: undefined,
    ...namesOf('role', setting, words, options && [{ id: 'roles', options }], (id) => find(id) && `@${find(id)?.name}`),
    ...availability(error),
    typed: () => undefined,
    startOf: (id) => startOf(find(id)),
    warningOf(id) {
      if (data === undefined || id === '') return undefined;
      const role = find(id);
      if (role === undefined) return [t('role.gone', { id })];
      const note = noteOf(role);
      return note === undefined ? undefined : [`@${role.name}: ${note}`, t('role.cannotGiveHelp')];
    },
  };
}

function availability(error: unknown): Pick<Pickable, 'isMissing' | 'isConfigured'> {
  return { isMissing: error !== null, isConfigured: slugOf(error) !== 'bot-token-missing' };
}

function namesOf(
  kind: 'channel' | 'role',
  setting: Setting,
  words: ValueWords,
  groups: Pickable['groups'],
  nameOf: (id: string) => string | undefined,
): Pick<Pickable, 'kind' | 'groups' | 'special' | 'textOf'> {
  const { t } = words;
  const none = noneText(setting, words);
  const textOf = (id: string) => (id === '' ? none : (nameOf(id) ?? `${t(`${kind}.unknown`)} ${id}`));
  const isOffered = (value: string) => groups?.some(({ options }) => options.some(({ id }) => id === value));
  // A value that is not in the list stays until another one is picked.
  const other = (id: string) => ({
    id,
    text: textOf(id),
    note: nameOf(id) === undefined ? t(`${kind}.unknownNote`) : undefined,
  });
  return {
    kind,
    groups,
    special: (value) => [{ id: '', text: none }, ...(value === '' || isOffered(value) ? [] : [other(value)])],
    textOf,
  };
}

function colorOf({ color }: GuildRole): string {
  return `#${color.toString(16).padStart(6, '0')}`;
}
