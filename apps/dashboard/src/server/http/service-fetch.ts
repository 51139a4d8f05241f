import type { Fetch, FetchOptions } from '@guild-settings/client';
import { type Dispatcher, Pool } from 'undici';

/** Sends requests to the service. */
export interface ServiceFetch {
  readonly fetch: Fetch;
  /** Closes the connections. */
  close(): Promise<void>;
}

/**
 * Creates what sends the calls of pages to the service: undici, on which `fetch` is built, without the streams of the web, which take
 * longer than the rest of a call. Connections are kept, and are as many as calls run at a time.
 */
export function createServiceFetch(apiUrl: string): ServiceFetch {
  const { origin } = new URL(apiUrl);
  const pool = new Pool(origin);
  return {
    async fetch(url, options) {
      const { statusCode: status, headers, body } = await request(pool, pathOf(url), options);
      if (status >= 300 && status < 400) {
        // A proxy responds so, and the service has not received the call. `fetch` follows redirects.
        await body.dump();
        return fetch(url, options);
      }
      return { ok: status >= 200 && status < 300, status, headers: headersOf(headers), text: () => body.text() };
    },
    close: () => pool.destroy(),
  };
}

function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}

async function request(
  pool: Pool,
  path: string,
  { method = 'GET', headers, body, signal }: FetchOptions,
): Promise<Dispatcher.ResponseData> {
  try {
    return await pool.request({
      path,
      method: method as Dispatcher.HttpMethod,
      headers: listOf(headers),
      body: typeof body === 'string' ? body : null,
      signal,
    });
  } catch (cause) {
    throw new TypeError('The request has failed', { cause });
  }
}

/** Returns names and values in turn. Compressed bodies would not be decoded. */
function listOf(headers: Headers): string[] {
  const list = ['accept-encoding', 'identity'];
  for (const [name, value] of headers) if (name !== 'accept-encoding') list.push(name, value);
  return list;
}

function headersOf(received: NodeJS.Dict<string | string[]>): Headers {
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(received)) {
    for (const value of [values].flat()) headers.append(name, value);
  }
  return headers;
}
