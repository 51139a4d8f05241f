import { Snowflake } from '@guild-settings/contract';
import { z } from 'zod';

export interface Person {
  readonly id: Snowflake;
  readonly name: string;
  readonly avatar: string | null;
}

const User = z.object({
  id: Snowflake,
  username: z.string(),
  global_name: z.string().nullish(),
  avatar: z.string().nullish(),
});

/**
 * The fields of a user that the service uses, as a {@link Person}. A response of another shape counts as an outage.
 * @see https://docs.discord.com/developers/resources/user#user-object
 */
export const DiscordUser = User.transform((user) => personOf(user));

/** A member of a guild by the name in that guild. @see https://docs.discord.com/developers/resources/guild#guild-member-object */
export const NamedMember = z
  .object({ user: User, nick: z.string().nullish() })
  .transform(({ user, nick }) => personOf(user, nick));

function personOf(
  { id, username, global_name: globalName, avatar }: z.infer<typeof User>,
  nick?: string | null,
): Person {
  return { id, name: nick || globalName || username, avatar: avatar ?? null };
}
