import type { ServerResponse } from 'node:http';
import { formatCursor, ProblemError } from '@guild-settings/contract';
import { unreachableUrl } from '@guild-settings/testing';
import { serve, stream } from '@guild-settings/testing/client';
import { describe, expect, test } from 'vitest';
import { watch } from './watch.ts';

const EPOCH = '3f0c2a34-0000-4000-8000-000000000000';

function bookmark(response: ServerResponse, revision: number): void {
  const id = formatCursor({ epoch: EPOCH, revision });
  response.write(`data: ${JSON.stringify({ type: 'bookmark', revision })}\nid: ${id}\n\n`);
}

/** Returns the revision of the cursor that the last connection resumes from; 0 without one. */
function lastRevision(inputs: readonly unknown[]): number {
  const input = inputs.at(-1) as { readonly cursor?: { readonly revision: number } };
  return input.cursor?.revision ?? 0;
}

async function take(count: number, options: Omit<Parameters<typeof watch>[0], 'signal'>): Promise<number[]> {
  const aborter = new AbortController();
  const revisions: number[] = [];
  for await (const { cursor } of watch({ ...options, signal: aborter.signal })) {
    revisions.push(cursor.revision);
    if (revisions.length === count) aborter.abort();
  }
  return revisions;
}

describe('watch()', () => {
  test('takes a connection for dead that has been silent for too long', async () => {
    // On a busy machine, a connection may be silent for that long before its first event.
    const next = (response: ServerResponse) => bookmark(stream(response), lastRevision(service.inputs) + 1);
    await using service = await serve(...Array.from({ length: 100 }, () => next));
    const disconnects: unknown[] = [];
    const onDisconnect = (error: unknown) => disconnects.push(error);
    expect(await take(2, { url: service.url, token: 'token', silenceTimeoutMs: 100, onDisconnect })).toEqual([1, 2]);
    expect(disconnects[0]).toMatchObject({
      name: 'NetworkError',
      cause: { message: 'nothing was received for 100 ms' },
    });
  });

  test('replaces a token that the service refuses', async () => {
    const problem = new ProblemError('invalid-token').toProblem('/trpc/guilds.watch');
    await using service = await serve(
      (response) => stream(response).end(`event: serialized-error\ndata: ${JSON.stringify({ data: { problem } })}\n\n`),
      (response) => bookmark(stream(response), 1),
    );
    const names = ['first', 'second'];
    const source = {
      get: async () => names[0] ?? '',
      invalidate: (token: string) => void (token === names[0] && names.shift()),
    };
    expect(await take(1, { url: service.url, token: source })).toEqual([1]);
    expect(service.tokens).toEqual(['Bearer first', 'Bearer second']);
  });

  test('goes on when something else answers, and when nothing does', async () => {
    await using service = await serve(
      (response) => response.writeHead(502, { 'content-type': 'text/html' }).end('<html>'),
      (response) => response.destroy(),
      (response) => stream(response).end('event: return\ndata: \n\n'),
      (response) => bookmark(stream(response), 1),
    );
    const disconnects: unknown[] = [];
    const onDisconnect = (error: unknown) => disconnects.push(error);
    expect(await take(1, { url: service.url, token: 'token', onDisconnect })).toEqual([1]);
    expect(disconnects.map((error) => (error instanceof Error ? error.name : error))).toEqual([
      'UnexpectedResponseError',
      'NetworkError',
      undefined,
    ]);
  });

  test.each([
    ['undici', undefined],
    ['fetch', globalThis.fetch],
  ])('%s names the connection that could not be made', async (_name, fetch) => {
    const aborter = new AbortController();
    const lost: unknown[] = [];
    const onDisconnect = (error: unknown) => {
      lost.push(error);
      aborter.abort();
    };
    const options = { url: await unreachableUrl(), token: 'token', signal: aborter.signal, onDisconnect };
    for await (const _ of watch({ ...options, ...(fetch && { fetch }) })) throw new Error('Expected no event');
    expect(lost).toMatchObject([{ message: 'No connection could be made', maybeSent: false }]);
  });

  test('ends when its signal aborts, also while it waits', async () => {
    await using service = await serve((response) => void stream(response));
    const aborter = new AbortController();
    const events = watch({ url: service.url, token: 'token', signal: aborter.signal });
    const next = events.next();
    setImmediate(() => aborter.abort());
    expect(await next).toEqual({ value: undefined, done: true });
  });
});
