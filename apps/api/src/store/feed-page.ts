import type { ErasureCipher } from './erasure/erasure-cipher.ts';
import { type GuildRow, guildOf } from './rows.ts';
import type { Erasure, FeedEntry, FeedPage } from './store.ts';

/** What a page of the feed is read by. */
export interface FeedRange {
  /** The page begins after this revision. */
  readonly after: number;
  /** Maximum number of guilds, and of erasures. */
  readonly limit: number;
  /** Opens the sealed ids of erased guilds. */
  readonly cipher: ErasureCipher;
}

/** Rows after a revision, read from one snapshot of a store. */
interface FeedRows {
  /** The guilds in the order of their newest revisions, at most `limit`. */
  readonly guilds: readonly GuildRow[];
  /** The erasures up to {@link reachOf}, at most `limit`. */
  readonly erasures: readonly Erasure[];
  /** The newest revision of the database. */
  readonly newest: number;
  readonly limit: number;
}

/** Returns the revision up to which a page of guilds is complete. Erasures are read up to there. */
export function reachOf({ guilds, newest, limit }: Omit<FeedRows, 'erasures'>): number {
  return guilds.length < limit ? newest : (guilds.at(-1)?.revision ?? newest);
}

/** Merges guilds and erasures in the order of revisions, up to where both are complete. */
export function feedPageOf({ guilds, erasures, newest, limit }: FeedRows): Omit<FeedPage, 'epoch'> {
  const reach = reachOf({ guilds, newest, limit });
  const upTo = erasures.length < limit ? reach : (erasures.at(-1)?.revision ?? reach);
  const entries: FeedEntry[] = [...guilds.map((row) => ({ revision: row.revision, guild: guildOf(row) })), ...erasures];
  return {
    entries: entries.filter((entry) => entry.revision <= upTo).sort((one, other) => one.revision - other.revision),
    upTo,
    isLast: upTo === newest,
  };
}
