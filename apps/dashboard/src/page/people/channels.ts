import type { GuildChannel } from '@guild-settings/contract';
import type { ChannelType, Setting } from '@guild-settings/contract/settings';
import { shorten } from '@guild-settings/i18n';
import type { ValueWords } from '../settings/value-text.ts';

const TYPES: Readonly<Record<ChannelType, number>> = {
  text: 0,
  voice: 2,
  category: 4,
  announcement: 5,
  stage: 13,
  forum: 15,
  media: 16,
};
const CATEGORY = TYPES.category;

/** The numbers of threads, and so of the posts of forums: of announcement channels, public and private ones. */
const THREADS: readonly number[] = [10, 11, 12];

const WITHOUT_MESSAGES: readonly number[] = [CATEGORY, TYPES.forum, TYPES.media];

/** Returns whether the bot is meant to write in a channel of a setting: in a voice channel of a team it need not. */
export function takesMessages({ place }: Setting, { type }: GuildChannel): boolean {
  if (place === 'record') return !WITHOUT_MESSAGES.includes(type);
  return type === TYPES.text || type === TYPES.announcement || THREADS.includes(type);
}

/** Returns whether a setting offers a channel. Threads are too many, and come and go: their ids are entered. */
function isOffered(setting: Setting, channel: GuildChannel): boolean {
  const { declared, place } = setting;
  if (THREADS.includes(channel.type)) return false;
  if (place === 'record') return takesMessages(setting, channel);
  const types = declared.kind === 'channel' ? declared.types : undefined;
  return types === undefined || types.some((type) => TYPES[type] === channel.type);
}

export function channelText(id: string, channels: readonly GuildChannel[] | undefined): string {
  return channelName(id, channels) ?? shorten(id);
}

/** Returns the name of a channel with its sign, after that of its channel where it is a thread; undefined: it is not known. */
export function channelName(id: string, channels: readonly GuildChannel[] = []): string | undefined {
  const channel = channels.find((one) => one.id === id);
  const parent =
    channel && THREADS.includes(channel.type) ? channels.find((one) => one.id === channel.parent_id) : undefined;
  return channel && `#${parent === undefined ? '' : `${parent.name} › `}${channel.name}`;
}

/** Returns the id in a link to a channel as Discord copies it, in a mention, or by itself; undefined: it is another text. */
export function channelIdIn(text: string): string | undefined {
  return /^(?:<#|https:\/\/\S+\/channels\/\d+\/)?(\d{17,20})(?:>|\/\d*)?$/.exec(text.trim())?.[1];
}

export function noneText({ field }: Setting, { t }: Pick<ValueWords, 't'>): string {
  return t(`none.${field}` as never, { defaultValue: t('none.other') });
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
  const names = new Map(channels.filter(({ type }) => type === CATEGORY).map(({ id, name }) => [id, name]));
  const groups = new Map<string, GuildChannel[]>();
  for (const channel of channels) {
    if (!isOffered(setting, channel)) continue;
    const id = channel.parent_id !== null && names.has(channel.parent_id) ? channel.parent_id : '';
    groups.set(id, [...(groups.get(id) ?? []), channel]);
  }
  return [...groups].map(([id, members]) => ({ id, category: names.get(id), channels: members }));
}
