import { z } from 'zod';
import { LABEL_LANGUAGES, LANGUAGES, type LabelLanguage } from '../languages.ts';
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
  /** Length of a label: the maximum that Discord shows above a control. */
  label: 45,
  description: 300,
  unit: 10,
  text: 2_000,
  listedText: 100,
  items: 25,
  /** Items of a list of ids, emoji or choices. */
  ids: 100,
  rows: 25,
  columns: 5,
  decimals: 6,
  placeholders: 25,
  /** Former names of a setting. */
  names: 10,
  /** Bytes of the largest possible record as JSON. */
  recordBytes: 64 * 1_024,
} as const;

/** A text for people in at least one language. */
function texts(one: z.ZodType<string>) {
  const byLanguage = Object.fromEntries(LABEL_LANGUAGES.map((language) => [language, one.optional()]));
  return z
    .strictObject(byLanguage as Record<LabelLanguage, z.ZodOptional<z.ZodType<string>>>)
    .refine((given) => Object.values(given).some((text) => text !== undefined), {
      message: `expected text in at least one of Discord's languages, such as ${LANGUAGES.join(', ')}`,
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

/**
 * The parts of a declaration. Their members are checked individually, so that a flaw in one does not hide flaws in
 * others.
 */
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
  was: z
    .union(
      [z.string(), z.array(z.string()).min(1).max(DECLARATION_LIMITS.names)],
      'expected a former name, or an array of them',
    )
    .optional(),
});

/** The default is checked by its kind, after the limits. */
const Default = z.unknown().optional();

const listOf = (max: number) => z.strictObject({ max: z.int().min(1).max(max) }).optional();
const many = listOf(DECLARATION_LIMITS.items);
const manyIds = listOf(DECLARATION_LIMITS.ids);

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
  number: setting('number', {
    min: z.number(),
    max: z.number(),
    decimals: z.int().min(1).max(DECLARATION_LIMITS.decimals),
    unit: Unit.optional(),
    many,
  }),
  duration: setting('duration', { min: z.int().min(0), max: z.int(), many }),
  time: setting('time', { zone: z.string().optional(), many }),
  timeZone: setting('timeZone', {}),
  choice: setting('choice', { choices: z.looseObject({}), many: manyIds }),
  text: setting('text', {
    lines: z.enum(['one', 'many']).optional(),
    max: z.int().min(1).max(DECLARATION_LIMITS.text),
    placeholders: z.looseObject({}).optional(),
    many,
  }),
  color: setting('color', { many }),
  emoji: setting('emoji', { many: manyIds }),
  channel: setting('channel', { types: ChannelTypes.optional(), needs: Needs.optional(), many: manyIds }),
  role: setting('role', { many: manyIds }),
  user: setting('user', { many: manyIds }),
  table: setting('table', {
    max: z.int().min(1).max(DECLARATION_LIMITS.rows),
    columns: z.looseObject({}),
    key: z.array(z.string()).min(1).optional(),
  }),
};

/** Returns the schema of a column of a kind: a setting with a single value, without a group and names of its own. */
export function columnSchema(kind: KindName): z.ZodObject {
  const { many: _, group: __, setBy: ___, was: ____, ...shape } = SETTING_SCHEMAS[kind].shape;
  return z.strictObject(shape);
}

function setting(kind: KindName, options: z.ZodRawShape): z.ZodObject {
  return z.strictObject({ kind: z.literal(kind), ...options, default: Default, ...AnySetting.shape });
}

function mapped<Schema>(names: readonly string[], schema: Schema): Record<string, Schema> {
  return Object.fromEntries(names.map((name) => [name, schema]));
}
