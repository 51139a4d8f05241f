import type { Worker } from 'node:cluster';
import type { Socket } from 'node:net';
import type { ToWorker } from './messages.ts';

/** Checks in turn at which messages waited and none was taken, after which a worker is stuck. */
const STUCK_CHECKS = 10;

/**
 * Sends messages to a worker. Node keeps those that the worker does not take, without a bound: what a suspended one is sent would
 * fill the memory of this process.
 */
export class WorkerChannel {
  readonly #worker: Worker;
  #waiting = 0;
  #taken = 0;
  #takenBefore = 0;
  #silentChecks = 0;
  #isSocketOnTheWay = false;

  constructor(worker: Worker) {
    this.#worker = worker;
  }

  /** Sends a message. Does nothing when the worker has ended, which is handled by its exit. */
  readonly send = (message: ToWorker): void => {
    if (!this.#worker.isConnected()) return;
    this.#waiting += 1;
    this.#worker.send(message, this.#onTaken);
  };

  /** Sends a message with a socket, and calls back when it is on the way, or with an error when it has ended. */
  sendSocket(message: ToWorker, socket: Socket, onSent: (error: Error | null) => void): void {
    this.#waiting += 1;
    this.#isSocketOnTheWay = true;
    this.#worker.send(message, socket, (error) => {
      this.#onTaken();
      onSent(error);
    });
  }

  /**
   * Returns whether the worker is stuck. To be called at equal intervals. Calls are counted, and not the time: when all processes
   * were suspended together, none is stuck.
   */
  isStuck(): boolean {
    // Node sends it after the receipt of the socket.
    if (this.#isSocketOnTheWay) this.send({ type: 'check' });
    this.#isSocketOnTheWay = false;
    const isSilent = this.#waiting > 0 && this.#taken === this.#takenBefore;
    this.#takenBefore = this.#taken;
    this.#silentChecks = isSilent ? this.#silentChecks + 1 : 0;
    return this.#silentChecks >= STUCK_CHECKS;
  }

  readonly #onTaken = (): void => {
    this.#waiting -= 1;
    this.#taken += 1;
  };
}
