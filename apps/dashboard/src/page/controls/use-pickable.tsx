import type { GuildChannel, GuildRole } from '@guild-settings/contract';
import { type Setting, takesMessages } from '@guild-settings/contract/settings';
import { roleNote } from '@guild-settings/i18n';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { PickerGroup, PickerOption } from '../design/picker.tsx';
import { channelIdIn, channelName, groupsOf, noneText } from '../people/channels.ts';
import { rolesQuery } from '../people/roles.ts';
import { useChannels } from '../people/use-channels.ts';
import { slugOf } from '../service/failure.ts';
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
  if (isRole) return pickableRoles(setting, { guild, data: roles.data, error: roles.error }, words);
  return {
    ...pickableChannels(setting, channels, words),
    onType: (text) => setTypedId(channelIdIn(text) ?? ''),
  };
}

function pickableChannels(
  setting: Setting,
  { channels: data, error }: ReturnType<typeof useChannels>,
  words: ValueWords,
): Pickable {
  const { t, shared } = words;
  const blocked = (channel: GuildChannel) => takesMessages(setting, channel) && !channel.botCanPost;
  const groups = data && groupsOf(data, setting);
  const offered = groups?.map(({ id, category, channels }) => ({
    id,
    heading: category ?? t('channel.noCategory'),
    options: channels.map((channel) => ({
      id: channel.id,
      text: `#${channel.name}`,
      note: blocked(channel) ? shared('reference.channel.cannotPost') : undefined,
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
  };
}

function pickableRoles(
  setting: Setting,
  {
    guild,
    data,
    error,
  }: { readonly guild: string; readonly data: readonly GuildRole[] | undefined; readonly error: unknown },
  words: ValueWords,
): Pickable {
  const find = (id: string) => data?.find((one) => one.id === id);
  const noteOf = (role: GuildRole) => roleNote(role, words);
  const nameOf = (id: string) => (id === guild ? '@everyone' : find(id) && `@${find(id)?.name}`);
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
    ...namesOf('role', setting, words, options && [{ id: 'roles', options }], nameOf),
    ...availability(error),
    typed: () => undefined,
    startOf: (id) => startOf(find(id)),
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
