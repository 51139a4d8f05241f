/** An error whose message is all that the caller of the command needs. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: 1 | 2;

  /** @param exitCode 2 for wrong arguments, otherwise 1 */
  constructor(message: string, exitCode: 1 | 2 = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}
