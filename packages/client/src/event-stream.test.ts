import { gzipSync } from 'node:zlib';
import { formatCursor } from '@guild-settings/contract';
import { startServer } from '@guild-settings/testing/client';
import { Agent, getGlobalDispatcher, setGlobalDispatcher } from 'undici';
import { describe, expect, test } from 'vitest';
import { requestStream } from './event-stream.ts';
import { watch } from './watch.ts';

const EVENT = `data: {"type":"bookmark","revision":7}\nid: ${formatCursor({ epoch: 'one', revision: 7 })}\n\n`;
const STREAM = { 'content-type': 'text/event-stream' };

async function firstRevision(url: string): Promise<number> {
  const aborter = new AbortController();
  const lost: unknown[] = [];
  const options = { url, token: 'token', signal: aborter.signal, onDisconnect: (error: unknown) => lost.push(error) };
  for await (const { cursor } of watch(options)) {
    expect(lost).toEqual([]);
    return cursor.revision;
  }
  return Number.NaN;
}

describe('the stream of a watch', () => {
  test('is decoded where a proxy compresses it', async () => {
    await using server = await startServer((_, response) => {
      response.writeHead(200, { ...STREAM, 'content-encoding': 'gzip' }).end(gzipSync(EVENT));
    });
    expect(await firstRevision(server.url)).toBe(7);
  });

  test('is requested through the dispatcher that was set for fetch', async () => {
    await using server = await startServer((_, response) => void response.writeHead(200, STREAM).write(EVENT));
    const before = getGlobalDispatcher();
    const origins: unknown[] = [];
    const agent = new Agent();
    setGlobalDispatcher(
      agent.compose((dispatch) => (options, handler) => {
        origins.push(String(options.origin));
        return dispatch(options, handler);
      }),
    );
    try {
      expect(await firstRevision(server.url)).toBe(7);
      expect(origins).toEqual([server.url]);
    } finally {
      setGlobalDispatcher(before);
      await agent.destroy();
    }
  });

  test('has the headers of the response, each with all its values', async () => {
    await using server = await startServer((_, response) =>
      response.writeHead(200, { via: ['a', 'b'], 'x-one': '1' }).end(),
    );
    const { headers } = await requestStream(server.url, {
      headers: {},
      redirect: 'manual',
      signal: new AbortController().signal,
    });
    expect([headers.get('via'), headers.get('x-one')]).toEqual(['a, b', '1']);
  });
});
