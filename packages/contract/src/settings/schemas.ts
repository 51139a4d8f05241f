import { z } from 'zod';
import { openEnum } from '../open-enum.ts';
import { SPECIFIED_SETTINGS } from './declared-settings.ts';
import { flawMessage } from './flaw.ts';
import { isRequired, itemFlaws, limitsOf, type Setting, tooMany } from './setting.ts';
import { type Item, type SettingValue, textIn } from './setting-declaration.ts';
import type { SpecifiedValues } from './specified.ts';

/** The shape of the specified settings with values of these types. */
type ShapeOf<Values> = { [Name in keyof SpecifiedValues & keyof Values]: z.ZodType<Values[Name], Values[Name]> };

export function specifiedShape<Values>(schemaOf: (setting: Setting) => z.ZodType): ShapeOf<Values> {
  const shape = SPECIFIED_SETTINGS.all.map((setting) => [setting.name, schemaOf(setting)]);
  return Object.fromEntries(shape) as ShapeOf<Values>;
}

export function requestSchema(setting: Setting): z.ZodType<SettingValue> {
  return valueSchema(setting, { isRequest: true });
}

/**
 * Returns the schema of a setting's values in responses. For a declared setting it only checks the type; a specified
 * one may have languages added by later versions, and characters that requests may no longer contain.
 */
export function recordSchema(setting: Setting): z.ZodType<SettingValue> {
  return valueSchema(setting, { isRequest: false });
}

/**
 * Returns the schema of values in a row of an import: only the type, and the rows of a table with the cells of a
 * request.
 */
export function importedSchema(setting: Setting): z.ZodType<SettingValue> {
  if (setting.columns === undefined) return recordSchema(setting);
  return z.array(rowSchema(setting.columns, recordSchema)) as unknown as z.ZodType<SettingValue>;
}

/** Returns the schema of values for readers: only the type. */
export function typeSchema(setting: Setting): z.ZodType<SettingValue> {
  const item = itemType(setting);
  return (setting.many === undefined ? item : z.array(item)) as z.ZodType<SettingValue>;
}

function valueSchema(setting: Setting, { isRequest }: { readonly isRequest: boolean }): z.ZodType<SettingValue> {
  const { many, declared, place } = setting;
  const { description: texts, label, examples } = declared;
  const meaning = textIn(texts, 'en-US') ?? textIn(label, 'en-US') ?? '';
  const more = examples && { examples: [...examples] };
  const isTypeAlone = !isRequest && place === 'custom';
  if (!isRequest && many === undefined && declared.kind === 'choice' && place === 'record') {
    return openEnum(Object.keys(declared.choices), meaning);
  }
  const rules = isRequest ? setting : { ...setting, declared: { ...declared, noInvisible: undefined } };
  const item = isTypeAlone ? itemType(setting) : itemSchema(rules as Setting);
  if (many === undefined) {
    const { description: rule } = isTypeAlone ? {} : limitsOf(rules as Setting);
    const described = item.meta({ description: [meaning, rule].filter(Boolean).join(' '), ...more });
    return described as z.ZodType<SettingValue>;
  }
  const list = z.array(item);
  const bounded = isTypeAlone ? list : list.max(many.max, flawMessage(tooMany(setting, many)));
  return bounded.meta({ description: meaning, ...more }) as unknown as z.ZodType<SettingValue>;
}

/** Returns the schema of an item with the limits of its kind, which the kind itself checks. */
function itemSchema(setting: Setting): z.ZodType<Item> {
  const { declared } = setting;
  if (declared.kind === 'choice' && declared.open === undefined) return z.enum(Object.keys(declared.choices));
  if (setting.columns !== undefined) return rowSchema(setting.columns, requestSchema);
  const limits = limitsOf(setting);
  return itemType(setting)
    .check((context) => {
      for (const flaw of itemFlaws(setting, context.value)) {
        context.issues.push({ code: 'custom', message: flawMessage(flaw), input: context.value });
      }
    })
    .meta(limits);
}

/** Returns the schema of the rows in a request. A cell may be omitted if its column has a default or an empty value. */
function rowSchema(columns: readonly Setting[], schemaOf: (column: Setting) => z.ZodType): z.ZodType<Item> {
  const cells = columns.map((column) => {
    const cell = schemaOf(column);
    return [column.name, isRequired(column) ? cell : cell.optional()];
  });
  return z.strictObject(Object.fromEntries(cells)) as unknown as z.ZodType<Item>;
}

function itemType({ kind: { type }, columns = [] }: Setting): z.ZodType<Item> {
  switch (type) {
    case 'string':
      return z.string();
    case 'boolean':
      return z.boolean();
    case 'integer':
      return z.int();
    case 'number':
      return z.number();
    case 'row': {
      const cells = columns.map((column) => [column.name, recordSchema(column)]);
      return z.looseObject(Object.fromEntries(cells)) as unknown as z.ZodType<Item>;
    }
  }
}
