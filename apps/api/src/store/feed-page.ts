import type { ErasureCipher } from './erasure/erasure-cipher.ts';
import { isSealed } from './erasure/erasure-rows.ts';
import { type GuildRow, guildOf, NO_EPOCHS } from './rows.ts';
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
  /** The guilds in the order of their newest revisions, at most `limit` and {@link PAGE_BYTES}. */
  readonly guilds: readonly GuildRow[];
  /** True: there are no further guilds. */
  readonly isWhole: boolean;
  /** The erasures and changes of access lists up to {@link reachOf}, the oldest `limit` of them. */
  readonly lines: readonly FeedLine[];
  readonly newest: number;
  readonly limit: number;
}

/** Returns the revision up to which a page of guilds is complete. Other entries are read up to there. */
export function reachOf({ guilds, isWhole, newest }: Pick<FeedRows, 'guilds' | 'isWhole' | 'newest'>): number {
  return isWhole ? newest : (guilds.at(-1)?.revision ?? newest);
}

/** Bytes of the settings of a page's guilds, the last of which may exceed them: a page is read and sent in one turn of the event loop. */
export const PAGE_BYTES = 256 * 1_024;

/** Merges guilds and other entries in the order of revisions, up to where both are complete. */
export function feedPageOf({ guilds, isWhole, lines, newest, limit }: FeedRows): Omit<FeedPage, 'epoch'> {
  const reach = reachOf({ guilds, isWhole, newest });
  const upTo = lines.length < limit ? reach : Math.min(reach, lines.at(-1)?.revision ?? reach);
  const entries: FeedEntry[] = [
    ...guilds.map((row) => ({ revision: row.revision, guild: guildOf(row, NO_EPOCHS) })),
    ...lines,
  ];
  return {
    entries: entries.filter((entry) => entry.revision <= upTo).sort((one, other) => one.revision - other.revision),
    upTo,
    isLast: upTo === newest,
  };
}
