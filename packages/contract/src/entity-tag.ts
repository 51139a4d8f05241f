/**
 * Characters of an epoch's mark in an entity tag. The other part, the declaration's tag, has eight; 1.0.0 sent only
 * that.
 */
export const EPOCH_MARK_LENGTH = 10;

/** A version of a guild's record or access list. */
export interface Version {
  /** 0: never changed. */
  readonly revision: number;
  /** The mark of the epoch in which the revision was made; empty for revision 0, which is the same in every epoch. */
  readonly epoch: string;
}

/** A content coding that a proxy has added to a tag, as Apache and Jetty do: `"7-gzip"`, `"7--gzip"`. */
const CODING = /-{1,2}(?:gzip|br|zstd|deflate|df)$/;

const TAG = /^(0|[1-9]\d{0,14})(?:-([0-9a-z]{1,64}))?$/;

/**
 * Returns the version in an entity tag: `"7"`, `"7-0k3x9w2a5q"` with the epoch, and `"7-0k3x9w2a5q1a2b3c4d"` with the
 * declaration of the settings; each may be weak or have a content coding. `epoch` is undefined if the tag contains
 * none, as in 1.0.0. Undefined: not the tag of a record.
 */
export function versionIn(entityTag: string): { readonly revision: number; readonly epoch?: string } | undefined {
  const [, digits, suffix = ''] = TAG.exec(tagWithoutCoding(entityTag)) ?? [];
  if (digits === undefined) return undefined;
  const hasEpoch = suffix.length >= EPOCH_MARK_LENGTH;
  return { revision: Number(digits), ...(hasEpoch && { epoch: suffix.slice(0, EPOCH_MARK_LENGTH) }) };
}

/** Returns the revision in the entity tag of a record; undefined: not such a tag. */
export function revisionOf(entityTag: string): number | undefined {
  return versionIn(entityTag)?.revision;
}

/** Returns the value of an entity tag as the service sent it: without quotes, `W/`, and a suffix added by a proxy. */
export function tagWithoutCoding(entityTag: string): string {
  return entityTag
    .replace(/^(?:W\/)?"?/, '')
    .replace(/"$/, '')
    .replace(CODING, '');
}

/**
 * Returns the entity tag value of a version.
 * @param declarationTag tag of the declaration that the record follows; undefined: none
 */
export function tagOf({ revision, epoch }: Version, declarationTag?: string): string {
  const suffix = `${revision === 0 ? '' : epoch}${declarationTag ?? ''}`;
  return suffix === '' ? String(revision) : `${revision}-${suffix}`;
}
