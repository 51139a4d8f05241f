export interface DatedRevision {
  readonly revision: number;
  readonly atMs: number;
}

/**
 * Finds the newest change that was made at a time or before it. The service finds changes by revision only, so the search
 * halves the range of revisions: some twenty requests for a million of them.
 * @param readNewest returns the newest change before a revision, or of all; undefined: there is none
 * @returns the revision; undefined: every change that is kept was made later
 */
export async function revisionAt(
  atMs: number,
  readNewest: (before?: number) => Promise<DatedRevision | undefined>,
): Promise<number | undefined> {
  const newest = await readNewest();
  if (newest === undefined || newest.atMs <= atMs) return newest?.revision;
  let found: number | undefined;
  // The change that is sought is `found`, or one between these two.
  let low = 0;
  let high = newest.revision;
  while (high - low > 1) {
    const middle = low + Math.floor((high - low) / 2);
    const change = await readNewest(middle + 1);
    if (change === undefined || change.revision <= low) low = middle;
    else if (change.atMs > atMs) high = change.revision;
    else {
      found = change.revision;
      low = middle;
    }
  }
  return found;
}
