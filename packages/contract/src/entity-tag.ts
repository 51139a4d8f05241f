/**
 * Returns the revision in an entity tag of a record: `"7"`, `"7-1a2b3c4d"`, which names the declaration of the settings
 * as well, and weak ones. Undefined: the tag is not that of a record.
 */
export function revisionOf(entityTag: string): number | undefined {
  const digits = /^(?:W\/)?"?(0|[1-9]\d{0,14})(?:-[0-9a-z]{1,64})?"?$/.exec(entityTag)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** Returns the value of the entity tag of a record, or of other content: its revision, and the declaration that it is made by. */
export function tagOf(content: number | string, declarationTag: string | undefined): string {
  return declarationTag === undefined ? String(content) : `${content}-${declarationTag}`;
}
