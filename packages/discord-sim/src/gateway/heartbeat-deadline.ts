/** Calls back when a client has not sent a heartbeat in time. */
export class HeartbeatDeadline {
  readonly #timer: NodeJS.Timeout;

  constructor(timeoutMs: number, onTimeout: () => void) {
    this.#timer = setTimeout(onTimeout, timeoutMs).unref();
  }

  /** Starts the wait for the next heartbeat. */
  extend(): void {
    this.#timer.refresh();
  }

  /** Ends the wait. */
  cancel(): void {
    clearTimeout(this.#timer);
  }
}
