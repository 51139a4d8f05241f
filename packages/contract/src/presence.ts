import { z } from 'zod';
import { GuildProfile } from './guild.ts';
import { LIMITS } from './limits.ts';
import { GuildId, isOfShard, Shard } from './snowflake.ts';

const PresentGuild = z.strictObject({ id: GuildId, ...GuildProfile.shape });

/** A guild in an outage: the bot is in it, but Discord does not send its name. */
const UnavailableGuild = z.strictObject({ id: GuildId, unavailable: z.literal(true) });

const NOT_A_REPORTED_GUILD = 'expected a guild with id, name and icon, or with id and "unavailable": true';

/**
 * A bot's report of the guilds that it is in.
 *
 * - `snapshot`: all guilds of one shard, at start. The bot has left the guilds of that shard that are not listed.
 * - `present`: the bot joined a guild, or the guild's name or icon changed.
 * - `left`: the bot was removed. Not sent for an outage (`unavailable`).
 */
export const PresenceReport = z.discriminatedUnion('type', [
  z
    .strictObject({
      type: z.literal('snapshot'),
      shard: Shard,
      guilds: z.array(z.union([PresentGuild, UnavailableGuild], NOT_A_REPORTED_GUILD)).max(LIMITS.presenceGuilds),
    })
    .superRefine(({ shard, guilds }, context) => {
      for (const [index, { id }] of guilds.entries()) {
        if (isOfShard(id, shard)) continue;
        context.addIssue({
          code: 'custom',
          path: ['guilds', index, 'id'],
          message: `expected a guild of shard ${shard.id} of ${shard.count}`,
        });
      }
    }),
  z.strictObject({ type: z.literal('present'), guild: PresentGuild }),
  z.strictObject({ type: z.literal('left'), guild: GuildId }),
]);
export type PresenceReport = z.infer<typeof PresenceReport>;

/** The result of a presence report: the number of changed guilds, and the revision after it. */
export const PresenceReceipt = z.object({ changed: z.int(), revision: z.int() });
export type PresenceReceipt = z.infer<typeof PresenceReceipt>;
