import { z } from 'zod';
import { GuildProfile } from './guild.ts';
import { GUILD_LEVELS } from './guild-access.ts';
import { Timestamp } from './history.ts';
import { openEnum } from './open-enum.ts';
import { GuildId, Snowflake } from './snowflake.ts';

/**
 * Length of Discord's texts for the OpenAPI document, more than twice Discord's limits. Not enforced by the service.
 */
const TEXT_LENGTH = 256;

const text = (description: string) => z.string().meta({ description, maxLength: TEXT_LENGTH });

/** The caller, and the scopes of its access token. */
export const CurrentCaller = z
  .strictObject({
    kind: openEnum(['user', 'application'], 'Whether the token is that of a user or of the application itself.'),
    id: Snowflake.meta({ description: 'The id of the user, or of the application.' }),
    name: text(
      'The display name of the user, or the name of the application; null: Discord has not stated it.',
    ).nullable(),
    avatar: text("The hash of the user's avatar; null: none, or the caller is the application.").nullable(),
    scopes: z.array(text('A scope of OAuth2.')).meta({
      description: 'The scopes of the token.',
      examples: [['identify', 'guilds']],
    }),
    expiresAt: Timestamp.meta({ description: "When the token expires, by Discord's clock (RFC 3339)." }),
  })
  .meta({ id: 'CurrentCaller', title: 'CurrentCaller', description: 'The caller and its access token.' });
export type CurrentCaller = z.infer<typeof CurrentCaller>;

export const ManagedGuildSummary = z
  .strictObject({
    id: GuildId,
    name: text("The guild's name, as in Discord's list."),
    icon: GuildProfile.shape.icon.meta({ description: "The guild's icon hash, or null." }),
    owner: z.boolean().meta({ description: 'Whether the caller owns the guild.' }),
    permissions: z.string().meta({
      description: "The caller's permissions in the guild: a bit set as a decimal number.",
      maxLength: 32,
      pattern: '^[0-9]+$',
      examples: ['32'],
    }),
    access: openEnum(GUILD_LEVELS, 'What the caller may do: managers by their permissions, others by the access list.'),
    botPresent: z
      .boolean()
      .nullable()
      .meta({ description: 'Whether the bot is in the guild; null: no bot has reported its guilds yet.' }),
  })
  .meta({
    id: 'ManagedGuildSummary',
    title: 'ManagedGuildSummary',
    description: 'A guild whose settings the caller may read.',
  });
export type ManagedGuildSummary = z.infer<typeof ManagedGuildSummary>;

/** The guilds that the caller manages, and those that grant the caller access, each in Discord's order. */
export const ManagedGuilds = z.array(ManagedGuildSummary);
