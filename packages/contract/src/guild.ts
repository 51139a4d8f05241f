import { z } from 'zod';
import type { Language } from './languages.ts';
import { LIMITS } from './limits.ts';
import type { CustomOf, Declaration, ValueOf } from './settings/declaration.ts';
import { type CustomSettings, SPECIFIED_SETTINGS } from './settings/declared-settings.ts';
import { recordSchema, requestSchema } from './settings/schemas.ts';
import type { Setting } from './settings/setting.ts';
import type { SPECIFIED } from './settings/specified.ts';
import { GuildId } from './snowflake.ts';
import { text } from './text.ts';

/** The values of a specified setting. */
type Specified<Name extends keyof typeof SPECIFIED> =
  ValueOf<(typeof SPECIFIED)[Name]> extends infer Value
    ? Value extends readonly (infer Item)[]
      ? Item[]
      : Value
    : never;

type RequestShape = { [Name in keyof typeof SPECIFIED]: z.ZodType<Specified<Name>, Specified<Name>> };

/** The shape of the specified settings in responses: with languages that a later version has added. */
type RecordShape = Omit<RequestShape, 'language'> & {
  language: z.ZodType<Language | (string & {}), Language | (string & {})>;
};

/** The settings of a guild as requests set them: prefix, announcement channel, beta, language and features. */
export const GuildSettings = z.object(shapeOf<RequestShape>(requestSchema));
export type GuildSettings = z.infer<typeof GuildSettings>;

/**
 * The settings of a guild in responses and events: those of {@link GuildSettings}, with languages that a later version has
 * added, and with invisible characters, which may be stored.
 */
export const RecordSettings = z.object(shapeOf<RecordShape>(recordSchema));
export type RecordSettings = z.infer<typeof RecordSettings> & { custom?: CustomSettings };

/** Settings as the type of a record, with the declared settings of a team; `undefined`: it has declared none. */
export type WithCustom<Settings, D extends Declaration | undefined> = D extends Declaration
  ? Omit<Settings, 'custom'> & { custom: CustomOf<D> }
  : Settings;

/** Returns the shape of the specified settings. */
function shapeOf<Shape>(schemaOf: (setting: Setting) => z.ZodType): Shape {
  return Object.fromEntries(SPECIFIED_SETTINGS.all.map((setting) => [setting.name, schemaOf(setting)])) as Shape;
}

/** Makes the schema of the name of a feature. */
export function featureName(options: { readonly noInvisible: boolean; readonly description?: string }) {
  return text({ min: 1, max: LIMITS.featureName, ...options });
}

/** The settings of a guild without changes. The service applies them, never a schema. */
export const DEFAULT_SETTINGS: Readonly<GuildSettings> = Object.freeze(
  SPECIFIED_SETTINGS.effective({}) as GuildSettings,
);

/** Length of Discord's texts for the OpenAPI document, more than twice what Discord allows. The service does not enforce it. */
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

/** The record of a guild in responses and events: eight fields, all present, in this order. */
export const Guild = z
  .strictObject({
    id: GuildId,
    name: GuildProfile.shape.name.meta({ readOnly: true }),
    icon: GuildProfile.shape.icon.meta({ readOnly: true }),
    ...RecordSettings.shape,
  })
  .meta({ id: 'Guild', title: 'Guild', description: 'A guild and its settings.' });
export type Guild = z.infer<typeof Guild> & { custom?: CustomSettings };
