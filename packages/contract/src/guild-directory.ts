import { z } from 'zod';
import { GuildInput } from './guild-patch.ts';
import { LIMITS } from './limits.ts';
import { openEnum } from './open-enum.ts';
import { Snowflake } from './snowflake.ts';
import { text } from './text.ts';

/**
 * The permissions that the bot needs to announce in a channel, by Discord's names. `CONNECT` is needed for the chat of
 * a voice or stage channel; in a thread, `SEND_MESSAGES_IN_THREADS` replaces `SEND_MESSAGES`.
 * @see https://docs.discord.com/developers/topics/permissions#permissions-bitwise-permission-flags
 */
export const ANNOUNCEMENT_PERMISSIONS = [
  'VIEW_CHANNEL',
  'CONNECT',
  'SEND_MESSAGES',
  'SEND_MESSAGES_IN_THREADS',
] as const;
export type AnnouncementPermission = (typeof ANNOUNCEMENT_PERMISSIONS)[number];

/** A channel or a thread of a guild, and the permissions that the bot lacks to announce in it. */
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
        'The permissions that the bot lacks to announce in it. Empty for a channel that accepts no messages, such as a ' +
        'category or a forum: there the bot cannot post, even with all permissions.',
    }),
  botPermissions: z
    .string()
    .regex(/^[0-9]{1,20}$/)
    .meta({
      description:
        'The present permissions of the bot in it, as a decimal bit set, of those that can be granted for a channel. A ' +
        'thread has those of its channel. `0` if the bot cannot see it.',
      maxLength: 20,
      examples: ['274877910016'],
    }),
});
export type GuildChannel = z.infer<typeof GuildChannel>;

/**
 * The channels of a guild in the order of Discord's client: those without a category, each category with its channels,
 * and then the requested threads.
 */
export const GuildChannels = z.array(GuildChannel).max(LIMITS.guildChannels);
export type GuildChannels = z.infer<typeof GuildChannels>;

export const ChannelsInput = z.object({
  ...GuildInput.shape,
  threads: z
    .array(Snowflake, 'expected ids of threads')
    .min(1, 'expected at least one id')
    .max(LIMITS.threads, `expected at most ${LIMITS.threads} ids`)
    .meta({ description: 'The ids of threads and forum posts to list as well, separated by commas.' })
    .optional(),
});

/**
 * A role of a guild, with the fields of Discord's role object that a picker needs.
 * @see https://docs.discord.com/developers/topics/permissions#role-object
 */
export const GuildRole = z.strictObject({
  id: Snowflake,
  name: z.string().meta({ description: 'The name without @.', maxLength: LIMITS.roleName, examples: ['Moderators'] }),
  color: z
    .int()
    .min(0)
    .max(0xffffff)
    .meta({ description: 'The RGB color as a number; 0: none.', examples: [0x3498db] }),
  position: z.int().meta({ description: 'The position as Discord states it. Several roles can have the same.' }),
  managed: z.boolean().meta({
    description: 'Whether an integration such as a bot owns the role: it then cannot be assigned to members.',
  }),
  assignable: z.boolean().meta({
    description:
      'Whether the bot can assign it to members now: it may manage roles, and its highest role is above this one.',
  }),
});
export type GuildRole = z.infer<typeof GuildRole>;

/** The roles of a guild in the order of Discord's client, highest first, without `@everyone`. */
export const GuildRoles = z.array(GuildRole).max(LIMITS.guildRoles);
export type GuildRoles = z.infer<typeof GuildRoles>;

/**
 * A custom emoji of a guild, with the fields of Discord's emoji object that a picker needs.
 * @see https://docs.discord.com/developers/resources/emoji#emoji-object
 */
export const GuildEmoji = z.strictObject({
  id: Snowflake,
  name: z.string().meta({ description: 'The name without colons.', maxLength: LIMITS.emojiName, examples: ['party'] }),
  animated: z.boolean(),
  available: z.boolean().meta({ description: 'Whether it can be used: false after a loss of boosts.' }),
});
export type GuildEmoji = z.infer<typeof GuildEmoji>;

/** The custom emojis of a guild in Discord's order. */
export const GuildEmojis = z.array(GuildEmoji).max(LIMITS.guildEmojis);
export type GuildEmojis = z.infer<typeof GuildEmojis>;

/**
 * Length of Discord's texts for the OpenAPI document, more than twice Discord's limits. Not enforced by the service.
 */
const TEXT_LENGTH = 256;

/** A person in the history of a guild or on its access list, or a member of it. */
export const GuildMember = z
  .strictObject({
    id: Snowflake.meta({ description: 'The id of the user.' }),
    name: z.string().meta({
      description: 'The name that others see in this guild: the nickname, else the display name, else the username.',
      maxLength: TEXT_LENGTH,
      examples: ['Olga'],
    }),
    avatar: z
      .string()
      .nullable()
      .meta({ description: "The hash of the user's avatar; null: none.", maxLength: TEXT_LENGTH }),
  })
  .meta({
    id: 'GuildMember',
    title: 'GuildMember',
    description: 'A person in the history of a guild or on its access list, or a member of it.',
  });
export type GuildMember = z.infer<typeof GuildMember>;

/** People in the order of the requested ids, or the members found by a search. */
export const GuildMembers = z.array(GuildMember).max(LIMITS.members);

/** The input of a look-up of people: by their ids, or of members by a search. */
export const MembersInput = z
  .strictObject({
    ...GuildInput.shape,
    ids: z
      .array(Snowflake, 'expected ids of users')
      .min(1, 'expected at least one id')
      .max(LIMITS.members, `expected at most ${LIMITS.members} ids`)
      .meta({
        description:
          'The ids of authors of changes of the guild, or of people on its access list, separated by commas. Not together with `query`.',
      })
      .optional(),
    query: text({
      min: 1,
      max: LIMITS.memberQuery,
      noLeadingSpace: true,
      description: "The start of members' usernames or nicknames, ignoring case. Not together with `ids`.",
    }).optional(),
  })
  .refine(({ ids, query }) => (ids === undefined) !== (query === undefined), {
    path: ['ids'],
    message: 'expected either ids of users or query, the beginning of a name, and not both',
  });
