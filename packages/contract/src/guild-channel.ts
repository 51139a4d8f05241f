import { z } from 'zod';
import { GuildInput } from './guild-patch.ts';
import { LIMITS } from './limits.ts';
import { openEnum } from './open-enum.ts';
import { Snowflake } from './snowflake.ts';

/**
 * The permissions that the bot needs to announce in a channel, by Discord's names. `CONNECT` is needed for the chat of a voice
 * or stage channel; in a thread, `SEND_MESSAGES_IN_THREADS` takes the place of `SEND_MESSAGES`.
 * @see https://docs.discord.com/developers/topics/permissions#permissions-bitwise-permission-flags
 */
export const ANNOUNCEMENT_PERMISSIONS = [
  'VIEW_CHANNEL',
  'CONNECT',
  'SEND_MESSAGES',
  'SEND_MESSAGES_IN_THREADS',
] as const;
export type AnnouncementPermission = (typeof ANNOUNCEMENT_PERMISSIONS)[number];

/** A channel or a thread of a guild, and whether the bot can announce in it. */
export const GuildChannel = z.strictObject({
  id: Snowflake,
  type: z
    .int()
    .min(0)
    .max(1_000)
    .meta({
      description:
        "Discord's number of the channel type: 0 text, 2 voice, 4 category, 5 announcement, 10 to 12 threads, 13 stage, " +
        '15 forum, 16 media. Discord may add types.',
      examples: [0],
    }),
  name: z.string().meta({ description: 'The name without #.', maxLength: LIMITS.channelName, examples: ['general'] }),
  position: z.int().meta({ description: 'The position among its siblings, as Discord states it; 0 for threads.' }),
  parent_id: Snowflake.nullable().meta({
    description: 'The category that the channel is in, or the channel that a thread is in; null: none.',
  }),
  botCanPost: z.boolean().meta({ description: 'Whether the bot can announce in it now.' }),
  missing: z
    .array(openEnum(ANNOUNCEMENT_PERMISSIONS, 'A permission that the bot lacks in this channel.'))
    .max(ANNOUNCEMENT_PERMISSIONS.length)
    .meta({
      description:
        'The permissions that the bot lacks to announce in it. Empty for a channel that takes no messages, such as a ' +
        'category or a forum: there the bot cannot post, even with all permissions.',
    }),
});
export type GuildChannel = z.infer<typeof GuildChannel>;

/**
 * The channels of a guild in the order of Discord's client: those without a category, then each category with its channels, then
 * the threads that were named.
 */
export const GuildChannels = z.array(GuildChannel).max(LIMITS.guildChannels);
export type GuildChannels = z.infer<typeof GuildChannels>;

/** The input of the question for the channels of a guild. */
export const ChannelsInput = z.object({
  ...GuildInput.shape,
  threads: z
    .array(Snowflake, 'expected ids of threads')
    .min(1, 'expected at least one id')
    .max(LIMITS.threads, `expected at most ${LIMITS.threads} ids`)
    .meta({ description: 'The ids of threads and forum posts to list as well, separated by commas.' })
    .optional(),
});
