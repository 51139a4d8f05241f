/** The place of a setting's value in a row. */
export interface FieldPath {
  readonly field: string;
  /** Names separated by dots; `.` for the whole value. */
  readonly path: string;
}

/** Parses `prefix=prefix,language=settings.lang`; undefined when it is no such list. */
export function parseFieldMap(text: string): FieldPath[] | undefined {
  const paths = text.split(',').map((pair) => {
    const [, field = '', path = ''] = /^\s*([^=\s]+)\s*=\s*(.*\S)\s*$/.exec(pair) ?? [];
    return field === '' ? undefined : { field, path };
  });
  return paths.every((one) => one !== undefined) ? paths : undefined;
}
