import { z } from 'zod';
import { Guild, GuildSettings } from './guild.ts';
import { GuildId } from './snowflake.ts';

/**
 * The body of a PATCH: every field optional, nothing coerced, unknown fields refused. A whole record that was read can
 * be sent back as it is. There are no defaults here: a default in a partial schema would reset what was omitted.
 */
export const GuildPatch = z
  .strictObject({
    id: z.string().meta({ description: "Accepted when equal to the path's.", examples: ['197038439483310086'] }),
    name: Guild.shape.name,
    icon: Guild.shape.icon,
    ...GuildSettings.shape,
  })
  .partial()
  .meta({ title: 'GuildPatch', description: 'The fields to change. Omitted fields stay as they are.' });

/** The body of a PATCH: every field optional. */
export type GuildPatch = z.infer<typeof GuildPatch>;

/** Names the guild that a procedure is about. */
export const GuildInput = z.object({ guild: GuildId });

/** A PATCH and the guild it is for, as the procedure takes them. */
export const GuildPatchInput = GuildPatch.extend({ guild: GuildId }).refine((input) => input.id === input.guild, {
  path: ['id'],
  message: 'expected the id of the guild being changed; an id cannot be changed',
  // Runs beside other issues, so that a caller sees all of them at once.
  when: ({ value }) => typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string',
});

const SETTING_NAMES = Object.keys(GuildSettings.shape) as (keyof GuildSettings)[];

/** The settings that a PATCH names: without the fields that Discord owns, and without those left undefined. */
export function settingsOf(patch: GuildPatch): Partial<GuildSettings> {
  const named = SETTING_NAMES.filter((name) => patch[name] !== undefined);
  return Object.fromEntries(named.map((name) => [name, patch[name]])) as Partial<GuildSettings>;
}
