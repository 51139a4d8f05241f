import { DEFAULT_SETTINGS, EXPORT_VERSION, exportOf, ImportDocument, LIMITS } from '@guild-settings/contract';
import { DeclaredSettings, SPECIFIED_SETTINGS } from '@guild-settings/contract/settings';
import { describe, expect, test } from 'vitest';
import { isWrongFile, readExportFile } from './export-file.ts';

const MAX = 2 * 1024 * 1024;

const exported = exportOf({
  guild: {
    id: '197038439483310086',
    name: 'Discord Testers',
    icon: null,
    ...DEFAULT_SETTINGS,
    prefix: '?',
    beta: true,
    language: 'ja',
    enabledFeatures: ['reminders'],
  },
  revision: 7,
  exportedAtMs: 0,
});

const read = (content: string | Uint8Array<ArrayBuffer>) =>
  readExportFile(new File([content], 'export.json'), MAX, SPECIFIED_SETTINGS);

test('an export is read as the service exported it, and the service accepts it', async () => {
  const document = await read(JSON.stringify(exported, null, 2));
  expect(document).toStrictEqual(exported);
  expect(ImportDocument.safeParse(document).success).toBe(true);
});

test('an export with a byte order mark, as editors on Windows write it, is read', async () => {
  expect(await read(`\uFEFF${JSON.stringify(exported)}`)).toStrictEqual(exported);
});

test('a history is not sent, and the service still names it among what it leaves alone', async () => {
  const document = await read(JSON.stringify({ ...exported, history: { entries: [], complete: true } }));
  expect(document).toStrictEqual({ ...exported, history: null });
});

test('fields of a later version are sent, so that a later service imports them and this one names them', async () => {
  const later = { ...exported, theme: 'dark', settings: { ...exported.settings, welcome: 'hi' } };
  expect(await read(JSON.stringify(later))).toStrictEqual(later);
});

test('a long value of a field of a later version is not sent, and the service still names the field', async () => {
  const [theme, welcome] = ['x'.repeat(2_000), ['y'.repeat(2_000)]];
  const later = { ...exported, theme, settings: { ...exported.settings, welcome } };
  expect(await read(JSON.stringify(later))).toStrictEqual({
    ...later,
    theme: null,
    settings: { ...exported.settings, welcome: null },
  });
});

test.each<[string, object, { readonly pointer: string; readonly flaw: object }[]]>([
  ['name', { ...exported, name: 'x'.repeat(20_000) }, [{ pointer: '/name', flaw: { key: 'tooLong', count: 256 } }]],
  [
    '$schema',
    { ...exported, $schema: 'x'.repeat(20_000) },
    [{ pointer: '/$schema', flaw: { key: 'tooLong', count: 256 } }],
  ],
  [
    'prefix and guild',
    { ...exported, guild: '1'.repeat(20_000), settings: { prefix: '💬'.repeat(5_000) } },
    [
      { pointer: '/guild', flaw: { key: 'tooLong', count: 19 } },
      { pointer: '/settings/prefix', flaw: { key: 'tooLong', count: 20 } },
    ],
  ],
  [
    'enabledFeatures',
    { ...exported, settings: { enabledFeatures: ['polls', 'x'.repeat(20_000)] } },
    [{ pointer: '/settings/enabledFeatures/1', flaw: { key: 'tooLong', count: 64 } }],
  ],
  [
    'enabledFeatures',
    { ...exported, settings: { enabledFeatures: Array.from({ length: 5_000 }, (_, index) => `${index}`) } },
    [{ pointer: '/settings/enabledFeatures', flaw: { key: 'tooMany', count: 64 } }],
  ],
])('a value of %s for which no request has room is a flaw of the file at its place', async (_, document, fields) => {
  expect(await read(JSON.stringify(document))).toStrictEqual({ reason: 'too-long', fields });
});

describe('declared settings', () => {
  const label = { 'en-US': 'A setting' };
  const columns = {
    trigger: { kind: 'text', max: 50, label },
    weight: { kind: 'number', min: 0, max: 9, decimals: 1, default: 1, label },
  } as const;
  const declared = new DeclaredSettings({
    settings: {
      replies: { kind: 'table', max: 25, columns, was: 'answers', label },
      rate: { kind: 'number', min: 0, max: 9, decimals: 2, default: 1, label },
    },
  });
  const readDeclared = (custom: object) =>
    readExportFile(new File([JSON.stringify({ ...exported, settings: { custom } })], 'export.json'), MAX, declared);

  test('with as many and as long rows as there can be are read', async () => {
    const replies = Array.from({ length: 25 }, () => ({ trigger: '💬'.repeat(50), weight: 0.5 }));
    for (const custom of [{ replies, rate: 1.25 }, { answers: replies }])
      expect(await readDeclared(custom)).toMatchObject({ settings: { custom } });
  });

  test.each(['replies', 'answers'])(
    'under the name %s with a row for which no request has room say which it is',
    async (name) => {
      const rows = [{ trigger: 'hi' }, { trigger: 'x'.repeat(9_000) }, { trigger: 'ho', weight: 2 }];
      expect(await readDeclared({ [name]: rows })).toStrictEqual({
        reason: 'too-long',
        fields: [{ pointer: `/settings/custom/${name}/1`, flaw: { key: 'tooLong', count: expect.any(Number) } }],
      });
      expect(await readDeclared({ [name]: Array(2_000).fill(rows[0]) })).toStrictEqual({
        reason: 'too-long',
        fields: [{ pointer: `/settings/custom/${name}`, flaw: { key: 'tooMany', count: 25 } }],
      });
    },
  );
});

test('whatever fields of later versions a file has, they fit into a request', async () => {
  const many = (count: number, name: string, value: string) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`${index}${name}`, value]));
  const features = Array.from({ length: 64 }, (_, index) => `${index}`.padEnd(64, 'x'));
  for (const unknown of [many(64, 'field', 'ы'.repeat(500)), many(20, 'x'.repeat(5_000), ''), many(20_000, '', '')]) {
    const settings = { ...exported.settings, enabledFeatures: features, ...unknown };
    const document = await read(JSON.stringify({ ...exported, ...unknown, settings }));
    const result = ImportDocument.safeParse(document);
    expect(Buffer.byteLength(JSON.stringify(document))).toBeLessThan(LIMITS.bodyBytes);
    const issues = result.error?.issues.map(({ message }) => message) ?? [];
    expect(issues).toStrictEqual(
      Object.keys(unknown).length * 2 > LIMITS.unknownFields ? ['expected at most 64 unknown fields'] : [],
    );
  }
});

test('an export with the most and the longest features is read', async () => {
  const enabledFeatures = Array.from({ length: 64 }, (_, index) => `${index}`.padEnd(64, 'x'));
  const longest = { ...exported, settings: { ...exported.settings, enabledFeatures } };
  expect(await read(JSON.stringify(longest))).toStrictEqual(longest);
});

describe('a file that is no export says why', () => {
  test.each([
    ['', { reason: 'empty' }],
    [' \n', { reason: 'empty' }],
    [Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0xff), { reason: 'not-text' }],
    ['[]', { reason: 'not-an-export', field: 'version' }],
    ['null', { reason: 'not-an-export', field: 'version' }],
    ['{"prefix":"?"}', { reason: 'not-an-export', field: 'version' }],
    [`{"version":${EXPORT_VERSION + 1}}`, { reason: 'other-version', version: '2' }],
    [`{"version":"${'x'.repeat(1_000)}"}`, { reason: 'other-version', version: `"${'x'.repeat(119)}…` }],
    ['{"version":1,"settings":{}}', { reason: 'not-an-export', field: 'guild' }],
    ['{"version":1,"guild":"1","settings":[]}', { reason: 'not-an-export', field: 'settings' }],
  ])('%j', async (content, reason) => {
    const result = await read(content);
    expect(result).toStrictEqual(reason);
    expect(isWrongFile(result)).toBe(true);
  });

  test('a JSON error has the place and at most 121 characters', async () => {
    const result = await read('{"version":1,');
    expect(result).toMatchObject({ reason: 'not-json', detail: expect.stringContaining('position 13') });
    expect(await read('x'.repeat(10_000))).toMatchObject({
      reason: 'not-json',
      detail: expect.stringMatching(/^.{1,121}$/),
    });
    // Nested deeper than the stack allows.
    expect(await read('['.repeat(1_000_000))).toMatchObject({ reason: 'not-json' });
  });
});

test('a file that is too large is not read', async () => {
  let reads = 0;
  const file = {
    name: 'film.mp4',
    size: MAX + 1,
    async arrayBuffer() {
      reads += 1;
      return new ArrayBuffer(0);
    },
  };
  expect(await readExportFile(file, MAX, SPECIFIED_SETTINGS)).toStrictEqual({ reason: 'too-large', bytes: MAX + 1 });
  expect(reads).toBe(0);
});

test('a file that is gone says so', async () => {
  const gone = {
    name: 'gone.json',
    size: 10,
    arrayBuffer: () => Promise.reject(new DOMException('', 'NotFoundError')),
  };
  expect(await readExportFile(gone, MAX, SPECIFIED_SETTINGS)).toStrictEqual({ reason: 'unreadable' });
});

test('a field named "reason" in an export is no reason to refuse it', async () => {
  expect(isWrongFile(await read(JSON.stringify({ ...exported, reason: 'empty' })))).toBe(false);
});
