const DAY_MS = 86_400_000;

/** Maximum number of shard counts for which the guilds of each shard are listed. */
export const MAX_SHARD_COUNTS = 4;

/** A shard count without a presence report for this time is no longer in use. */
export const SHARD_COUNT_UNUSED_MS = 7 * DAY_MS;
