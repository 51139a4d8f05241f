import { LRUCache } from 'lru-cache';

/** The most results that are kept. There are few public procedures. */
const MAX_RESULTS = 50;

/** The longest time for which a result is kept, whatever the service allows. */
const MAX_AGE_SECONDS = 3_600;

/** Headers that are of a result, and not of the call that asked for it. */
const RESULT_HEADERS = ['etag', 'guild-settings-version', 'deprecation'] as const;

/** A result of the service, with the headers that pages receive. */
export interface PublicResult {
  readonly data: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Keeps results that the service says are the same for everybody, for as long as it says, so that one call serves many pages.
 * @see https://www.rfc-editor.org/rfc/rfc9111#section-5.2.2
 */
export class PublicResults {
  readonly #results = new LRUCache<string, PublicResult>({ max: MAX_RESULTS });

  /** Returns the result of a call; undefined: none is kept. */
  get(url: string): PublicResult | undefined {
    return this.#results.get(url);
  }

  /** Keeps the result of a call if the headers of its response allow it. */
  keep(url: string, data: unknown, received: Headers): void {
    const [, seconds = '0'] = /^public, max-age=(\d{1,9})$/.exec(received.get('cache-control') ?? '') ?? [];
    const ttl = Math.min(Number(seconds), MAX_AGE_SECONDS) * 1_000;
    if (ttl > 0) this.#results.set(url, { data, headers: picked(received, RESULT_HEADERS) }, { ttl });
  }
}

/** Returns those of some headers that a response has. */
export function picked(headers: Headers, names: readonly string[]): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of names) {
    const value = headers.get(name);
    if (value !== null) found[name] = value;
  }
  return found;
}
