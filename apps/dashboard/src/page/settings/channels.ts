import type { GuildChannel } from '@guild-settings/contract';
import type { Setting } from '@guild-settings/contract/settings';
import { shorten } from '@guild-settings/i18n';
import { queryOptions } from '@tanstack/react-query';
import { send } from '../service/send.ts';
import { service } from '../service/service.ts';
import type { ValueWords } from './value-text.ts';

/** Discord's number of a category. Forums and media channels take no messages, but have posts. */
const CATEGORY = 4;
const WITHOUT_MESSAGES: readonly number[] = [CATEGORY, 15, 16];

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

/** Returns the name of a channel with its sign, or its id where the name is not known. */
export function channelText(id: string, channels: readonly GuildChannel[] | undefined): string {
  const channel = channels?.find((one) => one.id === id);
  return channel === undefined ? shorten(id) : `#${channel.name}`;
}

/** Returns what no channel means for a setting. */
export function noneText({ field }: Setting, { t, shared }: Pick<ValueWords, 't' | 'shared'>): string {
  return t(`none.${field}` as never, { defaultValue: shared('value.none') });
}

/** The channels of one category. */
export interface ChannelGroup {
  /** The id of the category; empty: channels without one, or with one that the person does not see. */
  readonly id: string;
  /** The name of the category, which another one may have as well; undefined: no category. */
  readonly category: string | undefined;
  readonly channels: readonly GuildChannel[];
}

/** Returns the channels that take messages, below their categories, in the order of Discord's client. */
export function groupsOf(channels: readonly GuildChannel[]): ChannelGroup[] {
  const names = new Map(channels.filter(({ type }) => type === CATEGORY).map(({ id, name }) => [id, name]));
  const groups = new Map<string, GuildChannel[]>();
  for (const channel of channels) {
    if (WITHOUT_MESSAGES.includes(channel.type)) continue;
    const id = channel.parent_id !== null && names.has(channel.parent_id) ? channel.parent_id : '';
    groups.set(id, [...(groups.get(id) ?? []), channel]);
  }
  return [...groups].map(([id, members]) => ({ id, category: names.get(id), channels: members }));
}
