/** The replacement of one value of a setting by another, before it is converted. */
export interface Replacement {
  /** The name of the setting. */
  readonly field: string;
  readonly from: string;
  readonly to: string;
}

/** Parses `language:de=en-US`; undefined when it is no replacement. */
export function parseReplacement(text: string): Replacement | undefined {
  const [, field = '', from = '', to = ''] = /^(\w+):(.*?)=(.*)$/s.exec(text) ?? [];
  return field === '' ? undefined : { field, from, to };
}

/** Returns what takes the place of a value. */
export function replaced(replacements: readonly Replacement[], field: string, value: unknown): unknown {
  if (!['string', 'number', 'boolean'].includes(typeof value)) return value;
  const found = replacements.find((one) => one.field === field && one.from === String(value));
  return found === undefined ? value : found.to;
}
