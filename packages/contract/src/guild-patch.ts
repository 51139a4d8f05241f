import { z } from 'zod';
import { GuildProfile, GuildSettings } from './guild.ts';
import { CUSTOM, SPECIFIED_SETTINGS } from './settings/declared-settings.ts';
import type { SettingValue } from './settings/setting-declaration.ts';
import { GUILD_ID_PATTERN, GuildId } from './snowflake.ts';

/**
 * The body of a PATCH. Every field is optional, values are not coerced, unknown fields are rejected, and a complete
 * record is accepted as it was read. No defaults, because a default in a partial schema would reset omitted fields.
 */
export const GuildPatch = z
  .strictObject({
    // The document describes the format of an id. The service only compares the value with the path.
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
export type GuildPatch = Partial<GuildProfile> & { id?: string | undefined } & SettingsInput;

export const GuildInput = z.object({ guild: GuildId });

/** A patch and its guild: the input of the update operation. */
export type GuildPatchInput = GuildPatch & { guild: GuildId };
export const GuildPatchInput = withGuild(GuildPatch) as unknown as z.ZodType<GuildPatchInput, GuildPatchInput>;

export function withGuild<Body extends typeof GuildPatch>(body: Body) {
  return body.extend({ guild: GuildId }).refine((input) => input.id === input.guild, {
    path: ['id'],
    message: 'expected the id of the guild being changed; an id cannot be changed',
    // Also checked if there are other issues, so that the response lists all of them.
    when: ({ value }) => typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string',
  });
}

/** Values to set by field, such as `prefix` and `custom.xpRate`; null: reset to the default. */
export type FieldPatch = Readonly<Record<string, SettingValue | null>>;

/** The settings in a request; null resets to the default, if settings are declared. */
export type SettingsInput = { [Name in keyof GuildSettings]?: GuildSettings[Name] | null | undefined } & {
  readonly custom?: Readonly<Record<string, SettingValue | null | undefined>> | undefined;
};

/** Returns the settings in a request by field, without undefined ones and without fields owned by Discord. */
export function fieldsOf(input: SettingsInput): FieldPatch {
  const settings: Record<string, SettingValue | null> = {};
  for (const { name } of SPECIFIED_SETTINGS.all) {
    const value = input[name as keyof GuildSettings];
    if (value !== undefined) settings[name] = value;
  }
  for (const [name, value] of Object.entries(input.custom ?? {})) {
    if (value !== undefined) settings[`${CUSTOM}${name}`] = value;
  }
  return settings;
}

export const NoInput = z.strictObject({}).default({});

export const NoResult = z.null().meta({ description: 'No result: the call succeeded.' });
