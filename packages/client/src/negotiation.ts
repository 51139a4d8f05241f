import { LIMITS, type RegisteredWatcher, sentShards, WATCH_EVENT_TYPES } from '@guild-settings/contract';
import { WatchRefusedError } from './event-stream.ts';

/** Fields of the input of a watch that the first version of the service does not have. */
export interface LaterInput {
  /** The types of events that this version knows. */
  readonly accepts?: readonly string[];
  /** The process that watches, with its shards as they are sent. */
  readonly watcher?: Omit<RegisteredWatcher, 'shards'> & { readonly shards: ReturnType<typeof sentShards> };
}

const FIRST_INPUT: LaterInput = {};

/** The response header of services that ignore fields of the input which they do not know. */
const VERSION_HEADER = 'guild-settings-version';

/** A watch that goes on without a part of its input, such as the registration of the process, and why. */
export class InputRefusedError extends Error {
  override readonly name = 'InputRefusedError';
}

/** What a {@link Negotiation} uses. */
export interface NegotiationOptions {
  readonly watcher: RegisteredWatcher | undefined;
  /** Called with what is left out, and why. Not called for a service of the first version, which knows none of the fields. */
  readonly onInputRefused: (error: InputRefusedError) => void;
}

/**
 * Agrees with one process of the service on the input of a watch. The first version of the service refuses fields that it does
 * not know: the watch connects again without them, and receives what the first version sent. A later service may refuse the value
 * of a field: the watch connects again without that field.
 */
export class Negotiation {
  #input: LaterInput;
  #isLaterVersion = false;
  readonly #onInputRefused: NegotiationOptions['onInputRefused'];

  constructor({ watcher, onInputRefused }: NegotiationOptions) {
    this.#onInputRefused = onInputRefused;
    const count = watcher?.shards.length ?? 0;
    const sent = count > LIMITS.watcherShards ? undefined : watcher;
    this.#input = {
      accepts: WATCH_EVENT_TYPES,
      ...(sent && { watcher: { ...sent, shards: sentShards(sent.shards) } }),
    };
    if (sent === watcher) return;
    const expected = `Expected at most ${LIMITS.watcherShards} shards in a registered process, received ${count}.`;
    onInputRefused(new InputRefusedError(`${expected} The watch goes on without \`watcher\``));
  }

  /** The fields that the first version does not have, except those that were refused. */
  get input(): LaterInput {
    return this.#input;
  }

  /** Returns whether an error refuses some of the fields. The next connection is without them. */
  isRefusedBy(error: unknown): boolean {
    if (!(error instanceof WatchRefusedError) || error.problem.type !== '/problems/invalid-request') return false;
    const { issues = [] } = error.problem;
    const refused = issues.filter(({ path: [field] }) => Object.hasOwn(this.#input, field ?? ''));
    if (refused.length === 0) return false;
    if (!this.#isLaterVersion) {
      this.#input = FIRST_INPUT;
      return true;
    }
    const names = new Set(refused.map(({ path: [field] }) => String(field)));
    this.#input = Object.fromEntries(Object.entries(this.#input).filter(([name]) => !names.has(name)));
    const reasons = refused.map(({ path, message }) => `\`${path.join('.')}\`: ${message}`).join('; ');
    const fields = [...names].map((name) => `\`${name}\``).join(' and ');
    this.#onInputRefused(
      new InputRefusedError(`The service refuses ${reasons}. The watch goes on without ${fields}`, { cause: error }),
    );
    return true;
  }

  /**
   * Ends a connection without the fields that has reached a later process of the service than the one of the first version that
   * refused them: it would send what the first version sent, which is less than this version understands.
   */
  readonly onHeaders = (headers: Headers): void => {
    this.#isLaterVersion = headers.has(VERSION_HEADER);
    if (this.#input === FIRST_INPUT && this.#isLaterVersion) {
      throw new Error('A connection with the input of the first version has reached a later version of the service');
    }
  };
}
