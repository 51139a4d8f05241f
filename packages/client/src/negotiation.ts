import { WATCH_EVENT_TYPES } from '@guild-settings/contract';
import { WatchRefusedError } from './event-stream.ts';

/** The response header of services that know `accepts`. */
const VERSION_HEADER = 'guild-settings-version';

/**
 * Agrees with one process of the service on what a watch receives. It sends the types of events that this version knows as
 * `accepts`. Services from before there was that field refuse it: the watch connects again without it, and receives what the
 * first version sent.
 */
export class Negotiation {
  #accepts: readonly string[] | undefined = WATCH_EVENT_TYPES;

  /** The input `accepts`; `undefined`: without it. */
  get accepts(): readonly string[] | undefined {
    return this.#accepts;
  }

  /** Returns whether an error means that the service does not know `accepts`. The next connection is without it. */
  isRefusedBy(error: unknown): boolean {
    if (this.#accepts === undefined || !(error instanceof WatchRefusedError)) return false;
    const { type, issues = [] } = error.problem;
    if (type !== '/problems/invalid-request' || !issues.some(({ path }) => path[0] === 'accepts')) return false;
    this.#accepts = undefined;
    return true;
  }

  /**
   * Ends a connection without `accepts` that has reached a newer process of the service than the one that refused it: without
   * the field, a newer service would send a part of the records only.
   */
  readonly onHeaders = (headers: Headers): void => {
    if (this.#accepts === undefined && headers.has(VERSION_HEADER)) {
      throw new Error('The connection without `accepts` has reached a newer process of the service');
    }
  };
}
