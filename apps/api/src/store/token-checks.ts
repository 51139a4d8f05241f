/** Checks are dropped after this time, in milliseconds: longer than any configuration lets one serve. */
export const TOKEN_CHECK_KEPT_MS = 2 * 86_400_000;

/** The most checks that are read at once: one for each process of a bot, and for those of the last two days. */
export const MAX_TOKEN_CHECKS = 1_000;
