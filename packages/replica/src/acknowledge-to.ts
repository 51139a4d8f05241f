import type { TokenSource } from '@guild-settings/client';
import { AcknowledgementReceipt, type Watcher } from '@guild-settings/contract';
import { request } from 'undici';
import type { Acknowledge } from './acknowledger.ts';

/** How long the service may take to respond, in milliseconds. */
const TIMEOUT_MS = 5_000;

/** The service, and this process as the service knows it. */
export interface AcknowledgeToOptions extends Pick<Watcher, 'name' | 'shards'> {
  /** The base URL of the service. */
  readonly url: string | URL;
  readonly token: string | TokenSource;
}

/** A response of a tRPC mutation, of which any part may be missing. */
interface Received {
  readonly result?: { readonly data?: unknown };
  readonly error?: { readonly data?: { readonly problem?: { readonly type?: unknown } } };
}

/**
 * Returns a function that sends acknowledgements to the service, as `guilds.acknowledge` of the client does, with less delay: a PATCH
 * may wait for each of them. docs/decisions/0042-short-way-of-acknowledgements.md
 */
export function acknowledgeTo({ url, token: source, name, shards }: AcknowledgeToOptions): Acknowledge {
  const target = `${new URL(url).href.replace(/\/+$/, '')}/trpc/guilds.acknowledge`;
  return async ({ id, cursor, rejected }, { signal }) => {
    const token = typeof source === 'string' ? source : await source.get(signal);
    const { statusCode, body } = await request(target, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ watcher: { id, name }, shards, cursor, rejected }),
      headersTimeout: TIMEOUT_MS,
      bodyTimeout: TIMEOUT_MS,
      signal,
    });
    const { result, error } = (await body.json()) as Received;
    if (statusCode === 200) return AcknowledgementReceipt.strip().parse(result?.data);
    // An earlier version of the service has no such call, and waits for no watcher.
    if (error?.data?.problem?.type === '/problems/not-found') return { latencyMs: null, pauseMs: 0 };
    if (statusCode === 401 && typeof source !== 'string') source.invalidate(token);
    throw new Error(`Expected the receipt of an acknowledgement, received status ${statusCode}`);
  };
}
