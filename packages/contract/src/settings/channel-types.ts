import type { Setting } from './setting.ts';
import type { ChannelType } from './setting-declaration.ts';

/**
 * Discord's type numbers of channels.
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

/** The type numbers of threads, including forum posts, with the types of their parent channels. */
const THREADS: Readonly<Record<number, readonly ChannelType[]>> = {
  10: ['announcement'],
  11: ['text', 'forum', 'media'],
  12: ['text'],
};

export function isThread(type: number): boolean {
  return Object.hasOwn(THREADS, type);
}

/**
 * Returns true if a setting accepts channels of a type, by Discord's number; a thread, if it accepts the thread's
 * parent channels.
 */
export function takesType({ declared }: Pick<Setting, 'declared'>, type: number): boolean {
  const types = declared.kind === 'channel' ? declared.types : undefined;
  return types === undefined || types.some((one) => CHANNEL_TYPE_NUMBERS[one] === type || THREADS[type]?.includes(one));
}

/**
 * Returns true if the bot is expected to write in the channel of a setting. In a voice channel of a declared setting it
 * need not.
 */
export function takesMessages({ place }: Pick<Setting, 'place'>, { type }: { readonly type: number }): boolean {
  const { text, announcement, voice, stage } = CHANNEL_TYPE_NUMBERS;
  if (isThread(type) || type === text || type === announcement) return true;
  return place === 'record' && (type === voice || type === stage);
}
