export interface KeyPattern {
  readonly text: string;
  /** True: a key names a field, so that the settings of a guild are in several rows. */
  readonly hasField: boolean;
  match(key: string): { readonly guild: string; readonly field?: string | undefined } | undefined;
}

const PLACES: Readonly<Record<string, string>> = {
  // Digits of any number, so that a wrong id is named instead of being taken for another kind of key.
  '{guild}': '(?<guild>\\d+)',
  '{field}': '(?<field>.+)',
};

/** Parses a pattern with one `{guild}` and at most one `{field}`; undefined when it is none. */
export function parseKeyPattern(text: string): KeyPattern | undefined {
  const parts = text.split(/(\{guild\}|\{field\})/);
  const count = (place: string) => parts.filter((part) => part === place).length;
  if (count('{guild}') !== 1 || count('{field}') > 1) return undefined;
  const pattern = new RegExp(`^${parts.map((part) => PLACES[part] ?? escaped(part)).join('')}$`, 'su');
  return {
    text,
    hasField: count('{field}') === 1,
    match(key) {
      const { guild, field } = pattern.exec(key)?.groups ?? {};
      return guild === undefined ? undefined : { guild, field };
    },
  };
}

const escaped = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
