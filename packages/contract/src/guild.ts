import { z } from 'zod';
import { LIMITS } from './limits.ts';
import type { CustomOf, Declaration } from './settings/declaration.ts';
import { type CustomSettings, type EffectiveSettings, SPECIFIED_SETTINGS } from './settings/declared-settings.ts';
import { recordSchema, requestSchema, specifiedShape } from './settings/schemas.ts';
import type { SpecifiedValues } from './settings/specified.ts';
import { GuildId } from './snowflake.ts';
import { text } from './text.ts';

export const GuildSettings = z.object(specifiedShape<SpecifiedValues>(requestSchema));
export type GuildSettings = z.infer<typeof GuildSettings>;

/**
 * The settings of a guild in responses and events: those of {@link GuildSettings}, including languages added by later
 * versions, and with invisible characters, which may be stored.
 */
export const RecordSettings = z.object(specifiedShape<EffectiveSettings>(recordSchema));
export type RecordSettings = EffectiveSettings;

/** Settings in the type of a record, with the declared settings of a team; `undefined`: none are declared. */
export type WithCustom<Settings, D extends Declaration | undefined> = D extends Declaration
  ? Omit<Settings, 'custom'> & { custom: CustomOf<D> }
  : Settings;

export function featureName(options: { readonly noInvisible: boolean; readonly description?: string }) {
  return text({ min: 1, max: LIMITS.featureName, ...options });
}

/** The settings of a guild without changes. Applied by the service, never by a schema. */
export const DEFAULT_SETTINGS: Readonly<GuildSettings> = Object.freeze(
  SPECIFIED_SETTINGS.effective({}) as GuildSettings,
);

/**
 * Length of Discord's texts for the OpenAPI document, more than twice Discord's limits. Not enforced by the service.
 */
const PROFILE_LENGTH = 256;

/** The name and the icon's hash of a guild. Discord owns these fields, and the service only copies them. */
export const GuildProfile = z.object({
  name: z.string().meta({
    description: "The guild's name. Discord owns it: accepted on PATCH and ignored.",
    maxLength: PROFILE_LENGTH,
    examples: ['Discord Testers'],
  }),
  icon: z
    .string()
    .nullable()
    .meta({
      description: "The guild's icon hash, or null. Discord owns it: accepted on PATCH and ignored.",
      maxLength: PROFILE_LENGTH,
      examples: ['f64c482b807da4f539cff778d174971c'],
    }),
});
export type GuildProfile = z.infer<typeof GuildProfile>;

/** The record of a guild in responses and events: all fields are present, in this order. */
export const Guild = z
  .strictObject({
    id: GuildId,
    name: GuildProfile.shape.name.meta({ readOnly: true }),
    icon: GuildProfile.shape.icon.meta({ readOnly: true }),
    ...RecordSettings.shape,
  })
  .meta({ id: 'Guild', title: 'Guild', description: 'A guild and its settings.' });
export type Guild = z.infer<typeof Guild> & { custom?: CustomSettings };

/**
 * {@link Guild} with its type if settings are declared. The OpenAPI document of such a deployment describes `custom`.
 */
export const GuildWithCustom = Guild as unknown as z.ZodType<Guild, Guild>;
