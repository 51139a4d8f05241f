import type { ErasureCipher } from './erasure/erasure-cipher.ts';
import { isSealed } from './erasure/erasure-rows.ts';
import { type GuildRow, guildOf } from './rows.ts';
import type { FeedEntry, FeedLine, FeedPage } from './store.ts';

export interface FeedRange {
  readonly after: number;
  readonly limit: number;
  /** Opens the sealed ids of erased guilds. */
  readonly cipher: ErasureCipher;
}

/** Row of an entry of the feed without a record. The id of an erased guild is sealed. */
export interface FeedLineRow {
  readonly revision: number;
  readonly guildId: string;
}

export function feedLineOf({ revision, guildId }: FeedLineRow, cipher: ErasureCipher): FeedLine {
  return isSealed(guildId) ? { revision, erased: cipher.open(guildId) } : { revision, access: guildId };
}

interface FeedRows {
  /** The guilds in the order of their newest revisions, at most `limit`. */
  readonly guilds: readonly GuildRow[];
  /** The erasures and changes of access lists up to {@link reachOf}, the oldest `limit` of them. */
  readonly lines: readonly FeedLine[];
  readonly newest: number;
  readonly limit: number;
}

/** Returns the revision up to which a page of guilds is complete. Other entries are read up to there. */
export function reachOf({ guilds, newest, limit }: Omit<FeedRows, 'lines'>): number {
  return guilds.length < limit ? newest : (guilds.at(-1)?.revision ?? newest);
}

const PAGE_CHARACTERS = 1024 * 1024;
const MAX_RECORD_CHARACTERS = PAGE_CHARACTERS / 16;

/** Merges guilds and other entries in the order of revisions, up to where both are complete and the page is not too large. */
export function feedPageOf({ guilds: read, lines, newest, limit }: FeedRows): Omit<FeedPage, 'epoch'> {
  const guilds = read.slice(0, fittingOf(read));
  const reach = guilds.length < read.length ? (guilds.at(-1)?.revision ?? newest) : reachOf({ guilds, newest, limit });
  // A page that is not too large may end before the last of the lines.
  const upTo = lines.length < limit ? reach : Math.min(reach, lines.at(-1)?.revision ?? reach);
  const entries: FeedEntry[] = [...guilds.map((row) => ({ revision: row.revision, guild: guildOf(row) })), ...lines];
  return {
    entries: entries.filter((entry) => entry.revision <= upTo).sort((one, other) => one.revision - other.revision),
    upTo,
    isLast: upTo === newest,
  };
}

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
