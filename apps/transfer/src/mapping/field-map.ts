import { GuildSettings } from '@guild-settings/contract';

/** A setting of a guild. */
export type FieldName = keyof GuildSettings;

/** The names of all settings. */
export const FIELD_NAMES = Object.keys(GuildSettings.shape) as FieldName[];

/** Whether the text is the name of a setting. */
export function isFieldName(text: string): text is FieldName {
  return FIELD_NAMES.some((name) => name === text);
}

/** Where the value of a setting is in a row. */
export interface FieldPath {
  readonly field: FieldName;
  /** Names separated by dots; `.` for the whole value. */
  readonly path: string;
}

/** Each setting under its own name. */
export const SAME_NAMES: readonly FieldPath[] = FIELD_NAMES.map((field) => ({ field, path: field }));

/** Parses `prefix=prefix,language=settings.lang`; undefined when it is no such list. */
export function parseFieldMap(text: string): FieldPath[] | undefined {
  const paths = text.split(',').map((pair) => {
    const [, field = '', path = ''] = /^\s*([^=\s]+)\s*=\s*(.*\S)\s*$/.exec(pair) ?? [];
    return isFieldName(field) && path !== '' ? { field, path } : undefined;
  });
  return paths.every((one) => one !== undefined) ? paths : undefined;
}
