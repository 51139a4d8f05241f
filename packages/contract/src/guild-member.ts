import { z } from 'zod';
import { GuildInput } from './guild-patch.ts';
import { LIMITS } from './limits.ts';
import { Snowflake } from './snowflake.ts';
import { text } from './text.ts';

/** Length of Discord's texts for the OpenAPI document, more than twice what Discord allows. The service does not enforce it. */
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

/** People in the order of the requested ids, or members that a search has found. */
export const GuildMembers = z.array(GuildMember).max(LIMITS.members);

/** The input of the question for the names of people: either of people by their ids, or of members by a search. */
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
      description: "The beginning of members' usernames or nicknames, in any case. Not together with `ids`.",
    }).optional(),
  })
  .refine(({ ids, query }) => (ids === undefined) !== (query === undefined), {
    path: ['ids'],
    message: 'expected either ids of users or query, the beginning of a name, and not both',
  });
