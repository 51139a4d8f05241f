import { GuildId, Snowflake } from '@guild-settings/contract';
import { z } from 'zod';

/**
 * The fields of Discord's response that the service uses. A response of another shape counts as an outage.
 * @see https://docs.discord.com/developers/topics/oauth2#get-current-authorization-information
 */
export const CurrentAuthorization = z.object({
  application: z.object({
    id: Snowflake,
    // Only shown: a token is not refused when they are missing.
    name: z.string().optional().catch(undefined),
    icon: z.string().nullish().catch(undefined),
  }),
  scopes: z.array(z.string()),
  expires: z.string().transform((value, context) => {
    const milliseconds = Date.parse(value);
    if (Number.isNaN(milliseconds)) context.addIssue('expected a date');
    return milliseconds;
  }),
  user: z
    .object({
      id: Snowflake,
      username: z.string().optional().catch(undefined),
      global_name: z.string().nullish().catch(undefined),
      avatar: z.string().nullish().catch(undefined),
    })
    .optional(),
});

export type CurrentAuthorization = z.infer<typeof CurrentAuthorization>;

/** @see https://docs.discord.com/developers/resources/user#get-current-user-guilds */
export const CurrentUserGuilds = z.array(
  z.object({
    id: z.union([GuildId, Snowflake]),
    name: z.string(),
    icon: z.string().nullable(),
    owner: z.boolean(),
    permissions: z.string().regex(/^\d+$/).transform(BigInt),
  }),
);

export type CurrentUserGuilds = z.infer<typeof CurrentUserGuilds>;

/** @see https://docs.discord.com/developers/resources/user#get-current-user-guild-member */
export const CurrentUserMember = z.object({ roles: z.array(Snowflake) });

/** @see https://docs.discord.com/developers/reference#error-messages */
export const Refusal = z.object({ message: z.string() });

/** @see https://docs.discord.com/developers/topics/rate-limits#exceeding-a-rate-limit */
export const RateLimit = z.object({ retry_after: z.number() });
