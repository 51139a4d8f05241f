import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '@guild-settings/testing';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { openSource, type SourceFile } from '../src/sources/open-source.ts';
import { type Entry, SourceError, type UnreadableEntry } from '../src/sources/source.ts';
import { writeEnmap, writeKeyv, writeQuickDb } from './transfer-kit.ts';

const GUILDS = ['197038439483310086', '613425648685547541'] as const;
const [ONE, OTHER] = GUILDS;

async function read(
  kind: SourceFile['kind'],
  path: string,
  { table, delimiter = ',' }: { readonly table?: string; readonly delimiter?: string } = {},
): Promise<(Entry | UnreadableEntry)[]> {
  const entries: (Entry | UnreadableEntry)[] = [];
  for await (const entry of openSource({ kind, path, table, delimiter })) entries.push(entry);
  return entries;
}

async function valuesOf(...args: Parameters<typeof read>): Promise<Record<string, unknown>> {
  const entries = await read(...args);
  return Object.fromEntries(entries.map((entry) => [entry.key, 'value' in entry ? entry.value : entry.problem]));
}

const SETTINGS = { prefix: ':?', lang: 'ja', nested: { beta: true }, features: ['a', 'b'], channel: null };

describe('files that bots write today', () => {
  test('Keyv 5: values, texts that begin with a colon, namespaces, without what has expired', async () => {
    using folder = temporaryFolder();
    const path = folder.file('keyv.sqlite');
    await writeKeyv(path, { [ONE]: SETTINGS, [OTHER]: ':)' });
    await writeKeyv(path, { [ONE]: 'ru' }, { namespace: 'languages' });
    await writeKeyv(path, { gone: 1 }, { ttl: -1 });
    expect(await valuesOf('keyv', path)).toEqual({
      [`keyv:${ONE}`]: SETTINGS,
      [`keyv:${OTHER}`]: ':)',
      [`languages:${ONE}`]: 'ru',
    });
  });

  test('quick.db 9: values, and properties that were set by a path', async () => {
    using folder = temporaryFolder();
    const path = folder.file('json.sqlite');
    await writeQuickDb(path, { [ONE]: SETTINGS, [`${OTHER}.deep.prefix`]: '"?"', [`prefix_${ONE}`]: '5' });
    expect(await valuesOf('quick.db', path)).toEqual({
      [ONE]: SETTINGS,
      [OTHER]: { deep: { prefix: '"?"' } },
      [`prefix_${ONE}`]: '5',
    });
  });

  test('Enmap 6: values with types that JSON lacks, from one table of several', async () => {
    using folder = temporaryFolder();
    writeEnmap(folder.path, 'money', { [ONE]: 5 });
    const features = new Set(['a']);
    const path = writeEnmap(folder.path, 'settings', {
      [ONE]: SETTINGS,
      [OTHER]: { features, logs: undefined, ids: new Map([['mod', 381870553235193857n]]) },
    });
    expect(await valuesOf('enmap', path, { table: 'settings' })).toEqual({
      [ONE]: SETTINGS,
      [OTHER]: { features: ['a'], logs: undefined, ids: { mod: '381870553235193857' } },
    });
    await expect(read('enmap', path)).rejects.toThrow(
      /^Expected --table, because .* several tables: money, settings\.$/,
    );
  });
});

describe('files of earlier versions, which were written by those versions', () => {
  const file = (name: string) => fileURLToPath(new URL(`files/${name}`, import.meta.url));

  test.each(['keyv-4.sqlite', 'keyv-5.sqlite', 'keyv-sqlite-5.sqlite'])('%s: Keyv', async (name) => {
    const languages = { [`languages:${ONE}`]: 'ru' };
    const expected = { [`keyv:${ONE}`]: SETTINGS, [`keyv:${OTHER}`]: ':)', ...languages };
    expect(await valuesOf('keyv', file(name))).toEqual(expected);
  });

  test('quick.db-9.sqlite and enmap-6.sqlite: on the SQLite that they pin', async () => {
    expect(await valuesOf('quick.db', file('quick.db-9.sqlite'))).toEqual({
      [ONE]: SETTINGS,
      [OTHER]: { deep: { prefix: '"?"' } },
      [`prefix_${ONE}`]: '5',
    });
    expect(await valuesOf('enmap', file('enmap-6.sqlite'), { table: 'settings' })).toEqual({
      [ONE]: SETTINGS,
      [OTHER]: { features: ['a'], logs: undefined, ids: { mod: '381870553235193857' } },
    });
  });

  test('quick.db-7.sqlite: values that were encoded twice, and values that were not', async () => {
    expect(await valuesOf('quick.db', file('quick.db-7.sqlite'))).toEqual({
      [ONE]: SETTINGS,
      [OTHER]: { deep: { prefix: '"?"' } },
      [`prefix_${ONE}`]: '?',
      [`channel_${ONE}`]: '381870553235193857',
      [`beta_${ONE}`]: true,
    });
  });

  test('enmap-5.sqlite: JSON, and JavaScript, which is not evaluated', async () => {
    expect(await valuesOf('enmap', file('enmap-5.sqlite'), { table: 'settings' })).toEqual({
      [ONE]: SETTINGS,
      [OTHER]: 'expected JSON, received JavaScript, which is not evaluated',
    });
  });
});

describe('a SQLite file', () => {
  test('is read whole while a bot replaces rows, and stays as it is', async () => {
    using folder = temporaryFolder();
    const path = folder.file('keyv.sqlite');
    const guilds = Array.from({ length: 2_500 }, (_, index) => String(197038439483310086n + BigInt(index)));
    await writeKeyv(path, Object.fromEntries(guilds.map((guild) => [guild, { prefix: guild }])));
    const before = hashOf(path);
    expect(await read('keyv', path)).toHaveLength(guilds.length);
    expect(hashOf(path)).toBe(before);

    using bot = closing(new Database(path));
    const keys: (string | undefined)[] = [];
    for await (const entry of openSource({ kind: 'keyv', path, table: undefined, delimiter: ',' })) {
      keys.push(entry.key);
      // Writes like a store that sets a value, in the middle of a page and of the file.
      if (keys.length % 500 === 0) {
        const value = '{"value":{"prefix":"later"}}';
        bot.db.prepare('INSERT OR REPLACE INTO caches VALUES (?, ?, 0, -1)').run(`keyv:${guilds[keys.length]}`, value);
      }
    }
    expect(new Set(keys).size).toBe(guilds.length);
    expect(keys).toHaveLength(guilds.length);
  });

  test('with a value that is no JSON has that row unreadable, and the others', async () => {
    using folder = temporaryFolder();
    const path = folder.file('keyv.sqlite');
    await writeKeyv(path, { [ONE]: 'a', [OTHER]: 'b' });
    using bot = closing(new Database(path));
    bot.db.prepare('UPDATE caches SET cacheData = ? WHERE cacheKey = ?').run('{"value":', `keyv:${ONE}`);
    expect(await read('keyv', path)).toEqual([
      { place: `key "keyv:${ONE}"`, key: `keyv:${ONE}`, problem: expect.stringContaining('JSON'), raw: '{"value":' },
      { place: `key "keyv:${OTHER}"`, key: `keyv:${OTHER}`, value: 'b' },
    ]);
  });

  test('of @keyv/sqlite 6 has namespaces in a column', async () => {
    using folder = temporaryFolder();
    using bot = closing(new Database(folder.file('keyv.sqlite')));
    // The schema of that version, which needs Node 22.
    bot.db.exec(`CREATE TABLE "keyv"(key VARCHAR(255) NOT NULL, value TEXT, namespace VARCHAR(255) NOT NULL DEFAULT '',
      expires BIGINT DEFAULT NULL, UNIQUE(key, namespace));
      INSERT INTO keyv VALUES ('${ONE}', '{"value":"?"}', 'prefixes', NULL), ('${ONE}', '{"value":"ja"}', '', NULL)`);
    expect(await valuesOf('keyv', folder.file('keyv.sqlite'))).toEqual({ [`prefixes:${ONE}`]: '?', [ONE]: 'ja' });
  });
});

describe('a text file', () => {
  const inFile = async (kind: SourceFile['kind'], text: string | Buffer, options = {}) => {
    using folder = temporaryFolder();
    writeFileSync(folder.file('file'), text);
    return await read(kind, folder.file('file'), options);
  };

  test('json: the members of an object, and the elements of an array, with ids as integers', async () => {
    expect(
      await inFile('json', `\uFEFF{"${ONE}":{"rounded":381870553235193860,"log":381870553235193857},"${OTHER}":[]}`),
    ).toEqual([
      { place: `key "${ONE}"`, key: ONE, value: { rounded: 381870553235193860, log: '381870553235193857' } },
      { place: `key "${OTHER}"`, key: OTHER, value: [] },
    ]);
    expect(await inFile('json', `[{"guild":${ONE}},{"guild":"${OTHER}"}]`)).toEqual([
      { place: 'element 1', value: { guild: ONE } },
      { place: 'element 2', value: { guild: OTHER } },
    ]);
  });

  test('ndjson: a value on each line, the last one without its end', async () => {
    expect(await inFile('ndjson', `{"guild":${ONE}}\r\n\nno\n{"guild":"${OTHER}"}`)).toEqual([
      { place: 'line 1', value: { guild: ONE } },
      { place: 'line 3', problem: expect.stringContaining('expected JSON'), raw: 'no' },
      { place: 'line 4', value: { guild: OTHER } },
    ]);
  });

  test('csv: cells by the names of the columns, without empty ones; a row of another length is unreadable', async () => {
    const text = `guild;prefix;"enabled;features"\n${ONE};"?;""";a,b\n${OTHER};;\n1;2\n${ONE};x;y\n`;
    const rows = await inFile('csv', text, { delimiter: ';' });
    expect(rows.toSorted((one, other) => (one.place < other.place ? -1 : 1))).toEqual([
      { place: 'line 2', value: { guild: ONE, prefix: '?;"', 'enabled;features': 'a,b' } },
      { place: 'line 3', value: { guild: OTHER } },
      { place: 'line 4', problem: expect.stringMatching(/Invalid Record Length/), raw: expect.stringMatching(/1;2/) },
      { place: 'line 5', value: { guild: ONE, prefix: 'x', 'enabled;features': 'y' } },
    ]);
  });

  test.each<[string, SourceFile['kind'], string | Buffer, string]>([
    ['text in another encoding', 'csv', Buffer.from('guild,prefix\n1,\xe9\n', 'latin1'), 'Expected text in UTF-8'],
    ['JSON that ends too early', 'json', '{"a":1', 'Expected JSON in'],
    ['JSON with more after its end', 'json', '{"a":1} {"b":2}', 'Expected JSON in'],
    ['a column twice', 'csv', 'guild,prefix,prefix\n1,2,3\n', 'received "prefix" twice'],
    ['another file than SQLite', 'keyv', 'no SQLite file, but a text of some length\n', 'Expected a SQLite file at'],
  ])('with %s is refused', async (_name, kind, text, message) => {
    const reading = inFile(kind, text);
    await expect(reading).rejects.toThrow(message);
    await expect(reading).rejects.toThrow(SourceError);
  });

  test('of any kind that is missing is refused', async () => {
    for (const kind of ['keyv', 'quick.db', 'enmap', 'json', 'ndjson', 'csv'] as const)
      await expect(read(kind, '/nowhere/file')).rejects.toThrow(SourceError);
  });
});

const hashOf = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');

const closing = (db: Database.Database) => ({ db, [Symbol.dispose]: () => void db.close() });
