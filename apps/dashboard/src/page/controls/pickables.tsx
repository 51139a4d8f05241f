import type { GuildRole } from '@guild-settings/contract';
import { Ambiguous, emojiId, isUnicodeEmoji, type Setting } from '@guild-settings/contract/settings';
import { channelNote, roleNote } from '@guild-settings/i18n';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { EmojiImage, emojiName, emojiUrl } from '../design/emoji.tsx';
import type { PickerGroup, PickerOption } from '../design/picker.tsx';
import { Picture } from '../design/picture.tsx';
import { useNow } from '../design/relative-time.tsx';
import { timeIn, untilNextMinuteMs } from '../i18n/time.ts';
import { emojisQuery } from '../people/emojis.ts';
import { useMemberSearch } from '../people/member-search.ts';
import { channelIdIn, channelName, groupsOf, useNames } from '../people/names.ts';
import { rolesQuery } from '../people/roles.ts';
import { useChannels } from '../people/use-channels.ts';
import { slugOf } from '../service/failure.ts';
import { useSettings } from '../settings/settings-context.ts';
import styles from './controls.module.css';
import { offsetIn, zonesFor } from './time-zones.ts';

type PickKind = 'channel' | 'role' | 'user' | 'emoji' | 'timeZone';

/** The values that a setting offers in a list. */
export interface Pickable {
  readonly kind: PickKind;
  readonly groups: readonly PickerGroup[] | undefined;
  /** The label of an id field; undefined: that of its setting, in case there are several. */
  readonly idLabel: string | undefined;
  /** The description of an id field: without the bot token, the service has no list. */
  readonly idHelp: string;
  readonly isMissing: boolean;
  /** The text shown if no option matches the typed text. */
  readonly empty: string;
  /** Returns the options outside the groups: none, and the value itself if no group contains it. */
  readonly special: (value: string) => readonly PickerOption[];
  /** Returns the option for a typed text, such as an id; absent: the groups are the search results. */
  readonly typed?: (text: string) => PickerOption | undefined;
  /** Called with the typed text, to name it or to search for it. */
  readonly onType?: (text: string) => void;
  readonly textOf: (id: string) => string;
  readonly startOf: (id: string) => ReactNode;
  /** Returns a hint about a value. */
  readonly hintOf?: (id: string) => string | undefined;
}

/** Returns the values that a setting of a kind offers. @param ids the picked values */
type UsePickable = (setting: Setting, ids: readonly string[]) => Pickable;

const OF_KIND: Readonly<Record<PickKind, UsePickable>> = {
  channel: useChannelPicks,
  role: useRolePicks,
  user: useUserPicks,
  emoji: useEmojiPicks,
  timeZone: useTimeZonePicks,
};

export const usePickable: UsePickable = (setting, ids) => {
  // The kind of a setting stays the same.
  const usePicks = OF_KIND[setting.kind.control as PickKind];
  return usePicks(setting, ids);
};

interface Source extends Pick<Pickable, 'groups' | 'typed' | 'onType' | 'startOf' | 'hintOf'> {
  readonly kind: Exclude<PickKind, 'timeZone'>;
  readonly nameOf: (id: string) => string | undefined;
  /** Returns true if the guild no longer has a value; absent: values without a name are gone. */
  readonly isGone?: (id: string) => boolean;
  readonly error: Error | null;
  readonly empty?: string;
}

function usePicksOf(setting: Setting, { nameOf, isGone, error, empty, ...source }: Source): Pickable {
  const { t } = useSettings().words;
  const { kind, groups } = source;
  const none = t(`none.${setting.field}` as never, { defaultValue: t('none.other') });
  const textOf = (id: string) => (id === '' ? none : (nameOf(id) ?? t(`${kind}.unknown`, { id })));
  const isOffered = (value: string) => groups?.some(({ options }) => options.some(({ id }) => id === value));
  // A value that is not in the list stays until another one is picked.
  const other = (id: string) => ({
    id,
    text: textOf(id),
    note: (isGone?.(id) ?? nameOf(id) === undefined) ? t(`${kind}.unknownNote`) : undefined,
    start: source.startOf(id),
  });
  return {
    ...source,
    idLabel: kind === 'channel' && setting.place === 'record' ? t('channel.idLabel') : undefined,
    idHelp: t(slugOf(error) === 'bot-token-missing' ? `${kind}.notHere` : `${kind}.byId`),
    isMissing: error !== null,
    empty: empty ?? t(`${kind}.noMatch`),
    special: (value) => [
      ...(setting.kind.empty === '' ? [{ id: '', text: none }] : []),
      ...(value === '' || isOffered(value) ? [] : [other(value)]),
    ],
    textOf,
  };
}

function useChannelPicks(setting: Setting, ids: readonly string[]): Pickable {
  const { guild, words } = useSettings();
  const { t } = words;
  const [typedId, setTypedId] = useState('');
  const { channels, error } = useChannels(guild, [...ids, typedId]);
  const nameOf = (id: string) => channelName(id, channels);
  return usePicksOf(setting, {
    kind: 'channel',
    error,
    groups:
      channels &&
      groupsOf(channels, setting).map(({ id, category, channels: members }) => ({
        id,
        heading: category ?? t('channel.noCategory'),
        options: members.map((channel) => ({
          id: channel.id,
          text: `#${channel.name}`,
          note: channelNote(setting, channel, words),
        })),
      })),
    nameOf,
    startOf: () => undefined,
    // The id of a channel or a thread, or a link to one.
    typed(text) {
      const id = channelIdIn(text);
      return id === undefined ? undefined : { id, text: nameOf(id) ?? t('channel.useId', { id }) };
    },
    onType: (text) => setTypedId(channelIdIn(text) ?? ''),
  });
}

function useRolePicks(setting: Setting): Pickable {
  const { guild, words } = useSettings();
  const { data: roles, error } = useQuery(rolesQuery(guild));
  const find = (id: string) => roles?.find((one) => one.id === id);
  const startOf = (role: GuildRole | undefined) =>
    role && role.color !== 0 && <span className={styles.swatch} style={{ background: colorOf(role) }} />;
  const options = roles?.map((role) => ({
    id: role.id,
    text: `@${role.name}`,
    note: roleNote(role, words),
    start: startOf(role),
  }));
  // Roles that the bot can assign first, because they are usually wanted.
  const sorted = options && [...options.filter(({ note }) => !note), ...options.filter(({ note }) => note)];
  return usePicksOf(setting, {
    kind: 'role',
    error,
    groups: sorted && [{ id: 'roles', options: sorted }],
    nameOf: (id) => (id === guild ? '@everyone' : find(id) && `@${find(id)?.name}`),
    startOf: (id) => startOf(find(id)),
    typed: () => undefined,
  });
}

function colorOf({ color }: GuildRole): string {
  return `#${color.toString(16).padStart(6, '0')}`;
}

const ID = /^(?:<@!?)?(\d{17,20})>?$/;

function useUserPicks(setting: Setting, ids: readonly string[]): Pickable {
  const { guild, words } = useSettings();
  const { t } = words;
  const [typed, setTyped] = useState('');
  // Without the bot's token, neither roles nor members can be listed.
  const { error } = useQuery(rolesQuery(guild));
  const actors = ids.filter((id) => id !== '').map((id) => ({ kind: 'user', id }) as const);
  const { avatarOf, knownNameOf } = useNames(actors);
  const nameOf = (id: string) => knownNameOf({ kind: 'user', id });
  // The field also contains the name of the picked person.
  const wanted = ids.some((id) => nameOf(id) === typed) ? '' : typed.trim();
  const found = useMemberSearch(guild, wanted);
  const [, typedId] = ID.exec(wanted) ?? [];
  const people = found.map(({ id, name, avatar }) => ({
    id,
    text: name,
    note: id,
    start: <Avatar id={id} name={name} hash={avatar} />,
  }));
  const byId =
    typedId === undefined ? [] : [{ id: typedId, text: nameOf(typedId) ?? t('user.unknown', { id: typedId }) }];
  return usePicksOf(setting, {
    kind: 'user',
    error,
    groups: [{ id: 'people', options: wanted === '' ? [] : [...byId, ...people] }],
    nameOf,
    startOf: (id) => id !== '' && <Avatar id={id} name={nameOf(id) ?? '?'} hash={avatarOf({ kind: 'user', id })} />,
    onType: setTyped,
    ...(wanted === '' && { empty: t('user.typeName') }),
  });
}

interface AvatarProps {
  readonly id: string;
  readonly name: string;
  readonly hash: string | null;
}

function Avatar({ id, name, hash }: AvatarProps): ReactNode {
  const path = hash === null ? undefined : `avatars/${id}/${hash}.webp?size=64`;
  return <Picture id={/^\d+$/.test(id) ? id : '0'} name={name} path={path} size="chip" />;
}

function useEmojiPicks(setting: Setting): Pickable {
  const { guild, words } = useSettings();
  const { data: emojis, error } = useQuery(emojisQuery(guild));
  const options = emojis?.map(({ id, name, animated, available }) => {
    const emoji = `<${animated ? 'a' : ''}:${name}:${id}>`;
    const note = available ? undefined : words.t('emoji.unavailable');
    return { id: emoji, text: `:${name}:`, note, start: <EmojiImage emoji={emoji} isNamed /> };
  });
  const find = (emoji: string) => options?.find(({ id }) => emojiId(id) === emojiId(emoji));
  return usePicksOf(setting, {
    kind: 'emoji',
    error,
    groups: options && [{ id: 'emojis', heading: words.t('emoji.list'), options }],
    // A renamed emoji keeps its id.
    nameOf: (emoji) => find(emoji)?.text ?? emojiName(emoji),
    isGone: (emoji) => options !== undefined && emojiId(emoji) !== undefined && find(emoji) === undefined,
    startOf: (emoji) => emojiUrl(emoji) !== undefined && <EmojiImage emoji={emoji} isNamed />,
    typed(text) {
      const emoji = text.trim();
      const isEmoji = isUnicodeEmoji(emoji) || emojiId(emoji) !== undefined;
      if (!isEmoji) return undefined;
      return { id: emoji, text: emojiName(emoji), start: emojiUrl(emoji) && <EmojiImage emoji={emoji} isNamed /> };
    },
  });
}

function useTimeZonePicks(setting: Setting, ids: readonly string[]): Pickable {
  const { t, shared, language, read: readText } = useSettings().words;
  const [typed, setTyped] = useState('');
  const nowMs = useNow(untilNextMinuteMs);
  // The field also contains the name of the picked zone.
  const wanted = ids.includes(typed) ? '' : typed.trim();
  const meant = wanted === '' ? undefined : readText?.(setting, wanted, language);
  const read = meant instanceof Ambiguous ? meant.meanings : [meant ?? []].flat().map(String);
  const zones = zonesFor(wanted, read, language);
  const options = zones.map((zone) => ({
    id: zone,
    text: zone,
    note: shared('noted', { text: timeIn(zone, nowMs), note: offsetIn(zone, nowMs, language) }),
  }));
  return {
    kind: 'timeZone',
    groups: [{ id: 'zones', options }],
    idLabel: undefined,
    idHelp: t('timeZone.byName'),
    isMissing: false,
    empty: t('timeZone.noMatch'),
    // The service may support zones that this browser does not.
    special: (zone) => (zones.includes(zone) ? [] : [{ id: zone, text: zone, note: timeIn(zone, nowMs) }]),
    onType: setTyped,
    textOf: (zone) => zone,
    startOf: () => undefined,
    hintOf(zone) {
      const time = timeIn(zone, nowMs);
      return time && t('timeZone.now', { time });
    },
  };
}
