import { serveHttp } from '@guild-settings/testing';
import { expect, test } from 'vitest';
import { Snapshot } from './export-all.ts';

const label = { 'en-US': 'Rate' };

/** Returns a stream that begins with a declaration, and ends before all records are sent. */
function streamOf(tag: string, kind: string): string {
  const settings = { xpRate: { kind, min: 0, max: 9, default: 5, label } };
  const declaration = { type: 'declaration', tag, declaration: { settings } };
  return [declaration, { type: 'bookmark', revision: 1 }]
    .map((event) => `data: ${JSON.stringify(event)}\nid: epoch:1\n\n`)
    .join('');
}

test.each([
  [
    'other settings than before',
    ['integer', 'integer'],
    'The service was started with other settings during the export.',
  ],
  ['a setting of an unknown kind', ['colour'], 'The settings xpRate cannot be read by this version. Export with the '],
])('an export from a service with %s fails', async (_what, kinds, message) => {
  let connections = 0;
  await using service = await serveHttp((_request, response) => {
    const kind = kinds[connections] ?? 'integer';
    connections += 1;
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(streamOf(`tag${connections}`, kind));
  });
  const { signal } = new AbortController();
  const token = { get: async () => 'token', invalidate: () => {} };
  const receiving = Snapshot.receive({ url: service.url, token, signal, onProgress: () => {} });
  await expect(receiving).rejects.toThrow(message);
  expect(connections).toBe(kinds.length);
});

test('an export from an address that redirects fails at once, with the address to write', async () => {
  let connections = 0;
  await using proxy = await serveHttp(({ url }, response) => {
    connections += 1;
    response.writeHead(301, { location: `https://api.example${url}` }).end();
  });
  const { signal } = new AbortController();
  const token = { get: async () => 'token', invalidate: () => {} };
  const receiving = Snapshot.receive({ url: proxy.url, token, signal, onProgress: () => {} });
  await expect(receiving).rejects.toThrow('Set API_URL to https://api.example.');
  expect(connections).toBe(1);
});
