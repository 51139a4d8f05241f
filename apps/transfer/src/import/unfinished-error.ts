/** Thrown when an import ended before all guilds were sent. The cause is the reason. */
export class UnfinishedError extends Error {
  override readonly name = 'UnfinishedError';

  constructor(done: number, total: number, cause: unknown) {
    super(`${done} of ${total} guilds were sent to the service. The same command goes on with the others.`, { cause });
  }
}
