import { type RegisteredWatcher, WATCH_EVENT_TYPES } from '@guild-settings/contract';
import { WatchRefusedError } from './event-stream.ts';

/** Fields of the input of a watch that the first version of the service does not have. */
export interface LaterInput {
  /** The types of events that this version knows. */
  readonly accepts?: readonly string[];
  /** The process that watches. */
  readonly watcher?: RegisteredWatcher;
}

const FIRST_INPUT: LaterInput = {};

/** The response header of services that ignore fields of the input which they do not know. */
const VERSION_HEADER = 'guild-settings-version';

/**
 * Agrees with one process of the service on the input of a watch. The first version of the service refuses fields that it does
 * not know: the watch connects again without them, and receives what the first version sent.
 */
export class Negotiation {
  #input: LaterInput;

  constructor(watcher: RegisteredWatcher | undefined) {
    this.#input = { accepts: WATCH_EVENT_TYPES, ...(watcher && { watcher }) };
  }

  /** The fields that the first version does not have, unless it has refused them. */
  get input(): LaterInput {
    return this.#input;
  }

  /** Returns whether an error means that the service is of the first version. The next connection is without the fields. */
  isRefusedBy(error: unknown): boolean {
    if (!(error instanceof WatchRefusedError) || error.problem.type !== '/problems/invalid-request') return false;
    const { issues = [] } = error.problem;
    if (!issues.some(({ path: [field] }) => Object.hasOwn(this.#input, field ?? ''))) return false;
    this.#input = FIRST_INPUT;
    return true;
  }

  /**
   * Ends a connection without the fields that has reached a later process of the service than the one that refused them: it
   * would send what the first version sent, which is less than this version understands.
   */
  readonly onHeaders = (headers: Headers): void => {
    if (this.#input === FIRST_INPUT && headers.has(VERSION_HEADER)) {
      throw new Error('A connection with the input of the first version has reached a later version of the service');
    }
  };
}
