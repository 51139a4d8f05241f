/** Time after which checks are deleted: longer than any configuration uses one. */
export const TOKEN_CHECK_TTL_MS = 2 * 86_400_000;

/** Maximum number of checks that are read: one for each process of the bots of the last two days. */
export const MAX_TOKEN_CHECKS = 1_000;
