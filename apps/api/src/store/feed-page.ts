import { type GuildRow, guildOf } from './rows.ts';
import type { Erasure, FeedEntry, FeedPage } from './store.ts';

/** What a snapshot of a store holds after a revision. */
interface FeedRows {
  /** The guilds above it in the order of their newest revisions, at most `limit`. */
  readonly guilds: readonly GuildRow[];
  /** The erasures above it, up to the reach, at most `limit`. */
  readonly erasures: readonly Erasure[];
  /** The newest revision of all. */
  readonly newest: number;
  readonly limit: number;
}

/** Up to which revision a page of guilds tells everything; erasures are looked for up to there. */
export function reachOf({ guilds, newest, limit }: Omit<FeedRows, 'erasures'>): number {
  return guilds.length < limit ? newest : (guilds.at(-1)?.revision ?? newest);
}

/** Guilds and erasures in one order, up to where both are complete. */
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
