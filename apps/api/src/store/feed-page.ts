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

/** Characters of the settings in one page, about: the largest record is a sixteenth of it. */
const PAGE_CHARACTERS = 1024 * 1024;
const MAX_RECORD_CHARACTERS = PAGE_CHARACTERS / 16;

/** Merges guilds and erasures in the order of revisions, up to where both are complete and the page is not too large. */
export function feedPageOf({ guilds: read, erasures, newest, limit }: FeedRows): Omit<FeedPage, 'epoch'> {
  const guilds = read.slice(0, fittingOf(read));
  const reach = guilds.length < read.length ? (guilds.at(-1)?.revision ?? newest) : reachOf({ guilds, newest, limit });
  const upTo = erasures.length < limit ? reach : (erasures.at(-1)?.revision ?? reach);
  const entries: FeedEntry[] = [...guilds.map((row) => ({ revision: row.revision, guild: guildOf(row) })), ...erasures];
  return {
    entries: entries.filter((entry) => entry.revision <= upTo).sort((one, other) => one.revision - other.revision),
    upTo,
    isLast: upTo === newest,
  };
}

/** Returns how many guilds fit into a page: one at least. */
function fittingOf(guilds: readonly GuildRow[]): number {
  // Almost all pages: at the end of the feed there are few guilds.
  if (guilds.length * MAX_RECORD_CHARACTERS <= PAGE_CHARACTERS) return guilds.length;
  let characters = 0;
  const end = guilds.findIndex(({ settings }) => {
    characters += JSON.stringify(settings).length;
    return characters > PAGE_CHARACTERS;
  });
  return end < 0 ? guilds.length : Math.max(1, end);
}
