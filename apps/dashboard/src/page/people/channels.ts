import type { GuildChannel } from '@guild-settings/contract';
import {
  CHANNEL_TYPE_NUMBERS,
  isThread,
  type Setting,
  takesMessages,
  takesType,
} from '@guild-settings/contract/settings';
import { shorten } from '@guild-settings/i18n';

/** Returns whether a setting offers a channel. Threads are too many, and come and go: their ids are entered. */
function isOffered(setting: Setting, channel: GuildChannel): boolean {
  if (isThread(channel.type)) return false;
  return setting.place === 'record' ? takesMessages(setting, channel) : takesType(setting, channel.type);
}

export function channelText(id: string, channels: readonly GuildChannel[] | undefined): string {
  return channelName(id, channels) ?? shorten(id);
}

/** Returns the name of a channel with its sign, after that of its channel where it is a thread; undefined: it is not known. */
export function channelName(id: string, channels: readonly GuildChannel[] = []): string | undefined {
  const channel = channels.find((one) => one.id === id);
  const parent = channel && isThread(channel.type) ? channels.find((one) => one.id === channel.parent_id) : undefined;
  return channel && `#${parent === undefined ? '' : `${parent.name} › `}${channel.name}`;
}

/** Returns the id in a link to a channel as Discord copies it, in a mention, or by itself; undefined: it is another text. */
export function channelIdIn(text: string): string | undefined {
  return /^(?:<#|https:\/\/\S+\/channels\/\d+\/)?(\d{17,20})(?:>|\/\d*)?$/.exec(text.trim())?.[1];
}

export interface ChannelGroup {
  readonly id: string;
  /** The name of the category, which another one may have as well; undefined: no category. */
  readonly category: string | undefined;
  readonly channels: readonly GuildChannel[];
}

/**
 * Returns the channels that a setting offers, below their categories, in the order of Discord's client.
 * @param channels all channels of the guild, with its categories
 */
export function groupsOf(channels: readonly GuildChannel[], setting: Setting): ChannelGroup[] {
  const names = new Map(
    channels.filter(({ type }) => type === CHANNEL_TYPE_NUMBERS.category).map(({ id, name }) => [id, name]),
  );
  const groups = new Map<string, GuildChannel[]>();
  for (const channel of channels) {
    if (!isOffered(setting, channel)) continue;
    const id = channel.parent_id !== null && names.has(channel.parent_id) ? channel.parent_id : '';
    groups.set(id, [...(groups.get(id) ?? []), channel]);
  }
  return [...groups].map(([id, members]) => ({ id, category: names.get(id), channels: members }));
}
