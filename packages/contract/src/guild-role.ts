import { z } from 'zod';
import { LIMITS } from './limits.ts';
import { Snowflake } from './snowflake.ts';

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
  managed: z
    .boolean()
    .meta({ description: 'Whether an integration such as a bot owns the role: then members cannot be given it.' }),
  assignable: z
    .boolean()
    .meta({ description: 'Whether the bot can give it to members now: it may manage roles, and is above this one.' }),
});
export type GuildRole = z.infer<typeof GuildRole>;

/** The roles of a guild in the order of Discord's client, the highest first, without `@everyone`. */
export const GuildRoles = z.array(GuildRole).max(LIMITS.guildRoles);
export type GuildRoles = z.infer<typeof GuildRoles>;
