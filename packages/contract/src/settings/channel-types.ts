import type { Setting } from './setting.ts';
import type { ChannelType } from './setting-declaration.ts';

/**
 * Discord's numbers of the types of channels.
 * @see https://docs.discord.com/developers/resources/channel#channel-object-channel-types
 */
export const CHANNEL_TYPE_NUMBERS: Readonly<Record<ChannelType, number>> = {
  text: 0,
  voice: 2,
  category: 4,
  announcement: 5,
  stage: 13,
  forum: 15,
  media: 16,
};

/** The numbers of threads, and so of the posts of forums, with the types of the channels that have them. */
const THREADS: Readonly<Record<number, readonly ChannelType[]>> = {
  10: ['announcement'],
  11: ['text', 'forum', 'media'],
  12: ['text'],
};

export function isThread(type: number): boolean {
  return Object.hasOwn(THREADS, type);
}

/** Returns whether a setting takes channels of a type, by Discord's number; a thread where it takes the channels that have it. */
export function takesType({ declared }: Pick<Setting, 'declared'>, type: number): boolean {
  const types = declared.kind === 'channel' ? declared.types : undefined;
  return types === undefined || types.some((one) => CHANNEL_TYPE_NUMBERS[one] === type || THREADS[type]?.includes(one));
}

/** Returns whether the bot is meant to write in a channel of a setting: in a voice channel of a team it need not. */
export function takesMessages({ place }: Pick<Setting, 'place'>, { type }: { readonly type: number }): boolean {
  const { text, announcement, voice, stage } = CHANNEL_TYPE_NUMBERS;
  if (isThread(type) || type === text || type === announcement) return true;
  return place === 'record' && (type === voice || type === stage);
}
