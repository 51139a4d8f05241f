import type { IncomingHttpHeaders } from 'node:http';
import { LRUCache } from 'lru-cache';

/** The most results that are kept. There are few public procedures. */
const MAX_RESULTS = 50;

/** The longest time for which a result is kept, whatever the service allows. */
const MAX_AGE_SECONDS = 3_600;

/** Headers that are of a result, and not of the call that asked for it. */
const RESULT_HEADERS = ['etag', 'guild-settings-version', 'deprecation'] as const;

/** The body of a response of the service, with the headers that pages receive. */
export interface PublicResult {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Keeps results that the service says are the same for everybody, for as long as it says, so that one call serves many pages.
 * @see https://www.rfc-editor.org/rfc/rfc9111#section-5.2.2
 */
export class PublicResults {
  readonly #results = new LRUCache<string, PublicResult>({ max: MAX_RESULTS });

  get(call: string): PublicResult | undefined {
    return this.#results.get(call);
  }

  /** Keeps the result of a call if the headers of its response allow it. */
  keep(call: string, body: Buffer, received: IncomingHttpHeaders): void {
    const [, seconds = '0'] = /^public, max-age=(\d{1,9})$/.exec(received['cache-control'] ?? '') ?? [];
    const ttl = Math.min(Number(seconds), MAX_AGE_SECONDS) * 1_000;
    if (ttl > 0) this.#results.set(call, { body, headers: picked(received, RESULT_HEADERS) }, { ttl });
  }
}

/** Returns those of some headers that a request or a response has once. */
export function picked(headers: IncomingHttpHeaders, names: readonly string[]): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of names) {
    const value = headers[name];
    if (typeof value === 'string') found[name] = value;
  }
  return found;
}
