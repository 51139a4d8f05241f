/** Thrown when PostgreSQL accepts LISTEN and a notification does not arrive. */
export class NotificationsLostError extends Error {
  override readonly name = 'NotificationsLostError';

  constructor(timeoutMs: number) {
    super(
      `PostgreSQL accepts LISTEN, but a notification did not arrive within ${timeoutMs / 1_000} s. PgBouncer in transaction mode drops them: set DATABASE_URL to the address of PostgreSQL itself, or of a pool in session mode.`,
    );
  }
}
