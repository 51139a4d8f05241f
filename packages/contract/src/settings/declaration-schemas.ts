import { z } from 'zod';
import { LANGUAGES, type Language } from '../languages.ts';
import { text } from '../text.ts';
import { CHANNEL_PERMISSION_NAMES } from './channel-permissions.ts';
import { CHANNEL_TYPES, type KindName } from './setting-declaration.ts';
import { SPECIFIED } from './specified.ts';

/** The limits of a declaration. Lengths are in code points. */
export const DECLARATION_LIMITS = {
  settings: 200,
  groups: 25,
  features: 64,
  choices: 25,
  choiceName: 64,
  /** Length of a label: the most that Discord shows above a control. */
  label: 45,
  description: 300,
  unit: 10,
  text: 2_000,
  listedText: 100,
  items: 25,
  /** Bytes of the largest possible record as JSON. */
  recordBytes: 64 * 1_024,
} as const;

/** A text for people in at least one language. */
function texts(one: z.ZodType<string>) {
  const byLanguage = Object.fromEntries(LANGUAGES.map((language) => [language, one.optional()]));
  return z
    .strictObject(byLanguage as Record<Language, z.ZodOptional<z.ZodType<string>>>)
    .refine((given) => Object.values(given).some((text) => text !== undefined), {
      message: `expected text in at least one language: ${LANGUAGES.join(', ')}`,
    });
}

/** A name for people: neither empty nor blank. */
export const Label = texts(text({ min: 1, max: DECLARATION_LIMITS.label, noLeadingSpace: true, noInvisible: true }));

const Description = texts(text({ min: 1, max: DECLARATION_LIMITS.description, noLeadingSpace: true }));

export const Group = z.strictObject({
  label: Label,
  description: Description.optional(),
  enabledBy: z.string().optional(),
});

export const Feature = z.strictObject({ label: Label, description: Description.optional() });

/** The parts of a declaration. Their members are checked one by one, so that a flaw in one does not hide those of others. */
export const Parts = z.strictObject({
  groups: z.looseObject({}).optional(),
  settings: z.looseObject({}).optional(),
  features: z.looseObject({}).optional(),
  defaults: z.strictObject(mapped(Object.keys(SPECIFIED), z.unknown().optional())).optional(),
});

export const AnySetting = z.looseObject({
  label: Label,
  description: Description.optional(),
  group: z.string().optional(),
  setBy: z.literal('application').optional(),
});

/** The default is checked by the kind, after the limits. */
const Default = z.unknown().optional();

const many = z.strictObject({ max: z.int().min(1).max(DECLARATION_LIMITS.items) }).optional();

const Unit = text({ min: 1, max: DECLARATION_LIMITS.unit, noInvisible: true });

const ChannelTypes = z
  .array(z.enum(CHANNEL_TYPES))
  .min(1)
  .refine((types) => new Set(types).size === types.length, { message: 'expected each type once' });

const Needs = z
  .array(z.enum(CHANNEL_PERMISSION_NAMES))
  .refine((needs) => new Set(needs).size === needs.length, { message: 'expected each permission once' });

export const SETTING_SCHEMAS: Readonly<Record<KindName, z.ZodObject>> = {
  switch: setting('switch', {}),
  integer: setting('integer', { min: z.int(), max: z.int(), unit: Unit.optional(), many }),
  duration: setting('duration', { min: z.int().min(0), max: z.int(), many }),
  choice: setting('choice', { choices: z.looseObject({}), many }),
  text: setting('text', {
    lines: z.enum(['one', 'many']).optional(),
    max: z.int().min(1).max(DECLARATION_LIMITS.text),
    many,
  }),
  channel: setting('channel', { types: ChannelTypes.optional(), needs: Needs.optional(), many }),
  role: setting('role', { many }),
};

function setting(kind: KindName, options: z.ZodRawShape): z.ZodObject {
  return z.strictObject({ kind: z.literal(kind), ...options, default: Default, ...AnySetting.shape });
}

function mapped<Schema>(names: readonly string[], schema: Schema): Record<string, Schema> {
  return Object.fromEntries(names.map((name) => [name, schema]));
}
