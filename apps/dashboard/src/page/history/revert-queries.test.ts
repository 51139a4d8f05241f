import { QueryClient } from '@tanstack/react-query';
import { afterEach, expect, test, vi } from 'vitest';
import { importDocument, importPreviewQuery } from '../transfer/import-queries.ts';
import { revert, revertPreviewQuery } from './revert-queries.ts';

afterEach(() => void vi.unstubAllGlobals());

const GUILD = '197038439483310086';

/** Answers previews of revision 7, with the ETag or without. Returns the If-Match of each request. */
function answer(etag: string | undefined): (string | null)[] {
  const conditions: (string | null)[] = [];
  vi.stubGlobal('fetch', async (_url: unknown, init: RequestInit) => {
    conditions.push(new Headers(init.headers).get('if-match'));
    const data = { revision: 7, changes: { prefix: { from: '!', to: '?' } }, skipped: [] };
    return Response.json({ result: { data } }, { headers: etag === undefined ? {} : { etag } });
  });
  return conditions;
}

test.each([
  ['its tag', '"7-0k3x9w2a5q"', '"7-0k3x9w2a5q"'],
  ['its revision, where a proxy has removed the tag', undefined, '"7"'],
])('what is confirmed is made under the condition of the preview: %s', async (_, etag, expected) => {
  const client = new QueryClient();
  const conditions = answer(etag);
  const target = { kind: 'restore', revision: 3, isOfAccess: false } as const;
  const difference = await client.fetchQuery(revertPreviewQuery(GUILD, target));
  await revert({ guild: GUILD, target, difference, reason: '' });
  const document = { version: 1, guild: GUILD, settings: {} } as const;
  const preview = await client.fetchQuery(importPreviewQuery(GUILD, 'a', document));
  await importDocument(GUILD, document, preview);
  expect(conditions).toEqual([null, expected, null, expected]);
});
