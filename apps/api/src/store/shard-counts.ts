const DAY_MS = 86_400_000;

/** The most shard counts for which the guilds of each shard are listed. */
export const MAX_SHARD_COUNTS = 4;

/** A shard count that no shard reported for this long is not in use any more, in milliseconds. */
export const SHARD_COUNT_UNUSED_MS = 7 * DAY_MS;
