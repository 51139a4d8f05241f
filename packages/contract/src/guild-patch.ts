import { z } from 'zod';
import { GuildProfile, GuildSettings } from './guild.ts';
import { GUILD_ID_PATTERN, GuildId } from './snowflake.ts';

/**
 * The body of a PATCH. Every field is optional, nothing is coerced, unknown fields are rejected, and a whole record is
 * accepted as it was read. Without defaults, because a default in a partial schema would reset omitted fields.
 */
export const GuildPatch = z
  .strictObject({
    // In the document with the format of an id. The service compares it with the path's, and reports nothing else.
    id: z.string().meta({
      description: "Accepted when equal to the path's.",
      minLength: 17,
      maxLength: 19,
      pattern: GUILD_ID_PATTERN.source,
      examples: ['197038439483310086'],
    }),
    // Not read-only as in the record: a strict client would refuse to send a record back as it was read.
    ...GuildProfile.shape,
    ...GuildSettings.shape,
  })
  .partial()
  .meta({ title: 'GuildPatch', description: 'The fields to change. Omitted fields stay as they are.' });
export type GuildPatch = z.infer<typeof GuildPatch>;

/** The input of an operation on one guild. */
export const GuildInput = z.object({ guild: GuildId });

/** A patch and its guild: the input of the update operation. */
export const GuildPatchInput = GuildPatch.extend({ guild: GuildId }).refine((input) => input.id === input.guild, {
  path: ['id'],
  message: 'expected the id of the guild being changed; an id cannot be changed',
  // Also when there are other issues, so that the response lists all of them.
  when: ({ value }) => typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string',
});

const SETTING_NAMES = Object.keys(GuildSettings.shape) as (keyof GuildSettings)[];

/** Returns the settings in a patch, without the fields that Discord owns and without undefined ones. */
export function settingsOf(patch: Pick<GuildPatch, keyof GuildSettings>): Partial<GuildSettings> {
  const settings: Partial<Record<keyof GuildSettings, unknown>> = {};
  for (const name of SETTING_NAMES) if (patch[name] !== undefined) settings[name] = patch[name];
  return settings as Partial<GuildSettings>;
}
