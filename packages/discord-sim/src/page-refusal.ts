/** An error response to a page of the simulator, with a message for its user. */
export class PageRefusal extends Error {
  override readonly name = 'PageRefusal';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}
