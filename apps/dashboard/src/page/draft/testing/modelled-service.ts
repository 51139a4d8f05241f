import { DEFAULT_SETTINGS, type GuildSettings } from '@guild-settings/contract';
import type { Theirs } from '../fields.ts';

/** A guild of the service as observed by a page: revisions, If-Match, erasures, and events that may be late. */
export class ModelledService {
  #state: Theirs = { settings: DEFAULT_SETTINGS, revision: 0, upTo: 0, changedBy: {} };
  #revisions = 0;
  readonly #events: Theirs[] = [];

  get now(): Theirs {
    return this.#state;
  }

  /** Makes a change; undefined: the record has another revision. */
  patch(changes: Partial<GuildSettings>, ifMatch = this.#state.revision): Theirs | undefined {
    if (ifMatch !== this.#state.revision) return undefined;
    this.#revisions += 1;
    const revision = this.#revisions;
    return this.#become({ settings: { ...this.#state.settings, ...changes }, revision, upTo: revision, changedBy: {} });
  }

  erase(): void {
    this.#revisions += 1;
    this.#become({ settings: DEFAULT_SETTINGS, revision: 0, upTo: this.#revisions, changedBy: {} });
  }

  nextEvent(): Theirs | undefined {
    return this.#events.shift();
  }

  #become(state: Theirs): Theirs {
    this.#state = state;
    this.#events.push(state);
    return state;
  }
}
