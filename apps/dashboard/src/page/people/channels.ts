import type { GuildChannel } from '@guild-settings/contract';
import type { ChannelType, Setting } from '@guild-settings/contract/settings';
import { shorten } from '@guild-settings/i18n';
import { queryOptions } from '@tanstack/react-query';
import { send } from '../service/send.ts';
import { service } from '../service/service.ts';
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

const WITHOUT_MESSAGES: readonly number[] = [CATEGORY, TYPES.forum, TYPES.media];

/** Returns whether the bot is meant to write in a channel of a setting: in a voice channel of a team it need not. */
export function takesMessages({ place }: Setting, { type }: GuildChannel): boolean {
  return place === 'record' ? !WITHOUT_MESSAGES.includes(type) : type === TYPES.text || type === TYPES.announcement;
}

function isOffered(setting: Setting, channel: GuildChannel): boolean {
  const { declared, place } = setting;
  if (place === 'record') return takesMessages(setting, channel);
  const types = declared.kind === 'channel' ? declared.types : undefined;
  return types === undefined || types.some((type) => TYPES[type] === channel.type);
}

/** Returns the query of the channels of a guild that the person can see. It fails where the service has no token of the bot. */
export function channelsQuery(guild: string) {
  return queryOptions({
    queryKey: ['channels', guild] as const,
    queryFn: async ({ signal }) =>
      (await send((options) => service.guilds.channels.query({ guild }, options), { signal })).data,
    staleTime: 30_000,
    retry: false,
  });
}

export function channelText(id: string, channels: readonly GuildChannel[] | undefined): string {
  const channel = channels?.find((one) => one.id === id);
  return channel === undefined ? shorten(id) : `#${channel.name}`;
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
