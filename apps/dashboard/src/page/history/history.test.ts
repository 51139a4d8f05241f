import { HistoryInput } from '@guild-settings/contract';
import type { Entry } from '@guild-settings/i18n';
import { QueryClient } from '@tanstack/react-query';
import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import { importDocument, importPreviewQuery } from '../transfer/import-preview.tsx';
import { filtersOf, isFiltered, queryOf } from './filters.ts';
import { mergeNewer, newestShown } from './history-queries.ts';
import { type DatedRevision, revisionAt } from './moment-button.tsx';
import { revert, revertPreviewQuery } from './revert-queries.ts';

const guild = '197038439483310086';

test('the filters are in the address', () => {
  const search = { field: 'prefix', by: '53908099506183680', kind: 'settings' };
  expect(filtersOf(search)).toStrictEqual(search);
  expect(queryOf(guild, filtersOf(search), 42)).toStrictEqual({
    guild,
    limit: 25,
    field: 'prefix',
    actor: '53908099506183680',
    kind: 'settings',
    before: 42,
  });
});

test('an address with anything else has a request that the service accepts', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom('field', 'by', 'kind', 'x'), fc.anything()), (search) => {
      expect(HistoryInput.safeParse(queryOf(guild, filtersOf(search))).success).toBe(true);
    }),
  );
});

test('an id that was read as a number, and so is another one, is no filter', () => {
  expect(filtersOf({ by: Number('53908099506183681') })).toStrictEqual({});
});

test('without a filter the history is whole', () => {
  expect(isFiltered(filtersOf({ field: 'nothing' }))).toBe(false);
  expect(isFiltered(filtersOf({ field: 'beta' }))).toBe(true);
});

function entry(revision: number, more: Partial<Entry> = {}): Entry {
  return {
    revision,
    at: '2026-11-22T12:00:00.000Z',
    kind: 'settings',
    actor: { kind: 'user', id: '53908099506183680' },
    origin: 'trpc',
    reason: null,
    changes: {},
    ...more,
  };
}

const revisions = (parts: ReturnType<typeof mergeNewer>) =>
  parts.map(({ entries }) => entries.map((one) => one.revision));

test('new changes are at the beginning, each once, and older parts stay where they are', () => {
  const parts = [
    { entries: [entry(5), entry(4)], before: 4 },
    { entries: [entry(2)], before: undefined },
  ];
  const merged = mergeNewer(parts, [entry(7), entry(6), entry(5)]);
  expect(revisions(merged)).toStrictEqual([[7, 6, 5, 4], [2]]);
  expect(merged.map(({ before }) => before)).toStrictEqual([4, undefined]);
  expect(newestShown(merged)).toBe(7);
});

test('the first changes of a guild fill an empty list', () => {
  expect(revisions(mergeNewer([], [entry(1)]))).toStrictEqual([[1]]);
  expect(newestShown([])).toBe(0);
});

test('a shown change is undone by the newest of the new changes that undid it', () => {
  const parts = [{ entries: [entry(4), entry(3)], before: undefined }];
  const newer = [entry(9, { undoes: 3 }), entry(8, { undoes: 7 }), entry(6, { undoes: 3 })];
  const [part] = mergeNewer(parts, newer);
  expect(part?.entries.find(({ revision }) => revision === 3)?.undoneBy).toBe(9);
  expect(part?.entries.find(({ revision }) => revision === 4)?.undoneBy).toBeUndefined();
});

afterEach(() => void vi.unstubAllGlobals());

const GUILD = '197038439483310086';

/** Answers previews of revision 7, with or without the ETag. Returns the If-Match of each request. */
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

/** A history with the oldest change first. Returns reads like the service, and counts them. */
function historyOf(changes: readonly DatedRevision[]) {
  let reads = 0;
  return {
    get reads() {
      return reads;
    },
    async readNewest(before = Number.POSITIVE_INFINITY): Promise<DatedRevision | undefined> {
      reads += 1;
      return changes.findLast(({ revision }) => revision < before);
    },
  };
}

const histories = fc
  .uniqueArray(fc.integer({ min: 1, max: 5_000 }), { maxLength: 40 })
  .map((revisions) =>
    revisions.sort((a, b) => a - b).map((revision) => ({ revision, atMs: Math.floor(revision / 3) })),
  );

test('finds the newest change that was made until a time, in any history', async () => {
  await fc.assert(
    fc.asyncProperty(histories, fc.integer({ min: -1, max: 1_800 }), async (changes, atMs) => {
      const { readNewest } = historyOf(changes);
      expect(await revisionAt(atMs, readNewest)).toBe(changes.findLast((change) => change.atMs <= atMs)?.revision);
    }),
  );
});

test('needs some forty requests for the largest revisions that there are', async () => {
  const history = historyOf([
    { revision: 1, atMs: 0 },
    { revision: Number.MAX_SAFE_INTEGER, atMs: 10 },
  ]);
  expect(await revisionAt(5, history.readNewest)).toBe(1);
  expect(history.reads).toBeLessThan(60);
});
