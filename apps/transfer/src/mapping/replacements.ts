export interface Replacement {
  readonly field: string;
  /** The value; undefined: each that cannot be taken otherwise. */
  readonly from: string | undefined;
  readonly to: string;
}

/** Parses `language:de=en-US` or `language:*=en-US`; undefined when it is no replacement. `\*` is the text `*`. */
export function parseReplacement(text: string): Replacement | undefined {
  const [, field = '', from = '', to = ''] = /^([\w.]+):(.*?)=(.*)$/s.exec(text) ?? [];
  if (field === '') return undefined;
  return { field, from: from === '*' ? undefined : from === '\\*' ? '*' : from, to };
}

/** Returns what takes the place of a value; undefined: nothing does. */
export function replacementOf(replacements: readonly Replacement[], field: string, value: unknown): string | undefined {
  if (!['string', 'number', 'boolean'].includes(typeof value)) return undefined;
  return replacements.find((one) => one.field === field && one.from === String(value))?.to;
}

/** Returns what takes the place of each value that cannot be taken otherwise; undefined: nothing does. */
export function fallbackOf(replacements: readonly Replacement[], field: string): string | undefined {
  return replacements.find((one) => one.field === field && one.from === undefined)?.to;
}
