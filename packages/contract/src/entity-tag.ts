/**
 * Returns the revision in an entity tag: 7 of `"7"`, and of `"7-1a2b3c4d"`, which names the declaration as well; undefined: there is
 * none.
 */
export function revisionOf(entityTag: string): number | undefined {
  const digits = /^(?:W\/)?"(\d{1,16})(?:-[\w-]+)?"$/.exec(entityTag)?.[1];
  return digits === undefined ? undefined : Number(digits);
}
