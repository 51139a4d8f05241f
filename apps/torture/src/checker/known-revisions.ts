import type { History } from '../history.ts';

/** A revision of a guild that a response or an event has shown. */
export interface KnownRevision {
  readonly revision: number;
  readonly guild: string;
  /** The prefix at that revision; undefined: only that the revision exists was shown. */
  readonly prefix: string | undefined;
}

/** Returns the revisions that are known from responses and events, whether they are in the log or not. */
export function knownRevisions({ operations, watched, histories, pastReads }: History): Map<number, KnownRevision> {
  const known = new Map<number, KnownRevision>();
  const add = (guild: string, revision: number, prefix: string | undefined) => {
    if (revision > 0 && known.get(revision)?.prefix === undefined) known.set(revision, { guild, revision, prefix });
  };
  for (const { guild, outcome } of operations)
    if (outcome.kind === 'ok') add(guild, outcome.seen.revision, outcome.seen.prefix);
  for (const { received } of watched) for (const { guild, seen } of received) add(guild, seen.revision, seen.prefix);
  for (const { guild, seen } of pastReads) if (seen !== undefined) add(guild, seen.revision, seen.prefix);
  for (const { guild, lines } of histories)
    for (const { revision, to } of lines) add(guild, revision, typeof to === 'string' ? to : undefined);
  return known;
}
