import { type FieldName, isFieldName } from './field-map.ts';

/** The replacement of one value of a setting by another, before it is converted. */
export interface Replacement {
  readonly field: FieldName;
  readonly from: string;
  readonly to: string;
}

/** Parses `language:de=en-US`; undefined when it is no replacement. */
export function parseReplacement(text: string): Replacement | undefined {
  const [, field = '', from = '', to = ''] = /^(\w+):(.*?)=(.*)$/s.exec(text) ?? [];
  return isFieldName(field) ? { field, from, to } : undefined;
}

/** Returns what takes the place of a value. */
export function replaced(replacements: readonly Replacement[], field: FieldName, value: unknown): unknown {
  if (!['string', 'number', 'boolean'].includes(typeof value)) return value;
  const found = replacements.find((one) => one.field === field && one.from === String(value));
  return found === undefined ? value : found.to;
}
