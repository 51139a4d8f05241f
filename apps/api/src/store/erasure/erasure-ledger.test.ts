import {
  appendFileSync,
  copyFileSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { startTestPostgres, temporaryFolder } from '@guild-settings/testing';
import {
  A,
  B,
  CHANGE,
  erase,
  migratedDatabase,
  NEVER_SEEN,
  openTestPostgres,
  openTestSqlite,
  prefix,
  type TestStore,
} from '@guild-settings/testing/stores';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { backUp } from '../sqlite/back-up.ts';
import { WriteUnconfirmedError } from '../store.ts';
import { ErasureLedger } from './erasure-ledger.ts';

const server = await startTestPostgres();
afterAll(() => server[Symbol.asyncDispose]());

/** A kind of database, and functions to make and open an older copy of it. */
interface Databases {
  open(name: string, ledger?: ErasureLedger): Promise<TestStore>;
  copy(from: string, to: string): Promise<void>;
}

function sqliteIn(folder: string): Databases {
  const path = (name: string) => join(folder, `${name}.db`);
  return {
    open: async (name, ledger) => openTestSqlite(path(name), undefined, ledger),
    copy: async (from, to) => backUp(path(from), path(to)),
  };
}

async function postgres(): Promise<Databases> {
  const urls = new Map([
    ['current', await migratedDatabase(server)],
    ['empty', await migratedDatabase(server)],
  ]);
  return {
    open: (name, ledger) => openTestPostgres(urls.get(name) ?? '', undefined, ledger),
    // The source must not be in use.
    copy: async (from, to) => void urls.set(to, await server.createDatabase(urls.get(from))),
  };
}

/**
 * Writes two guilds and erases a third one, makes a copy, then erases one of the two and the author of all changes. The
 * ledger then has four lines, of which the copy has seen two.
 */
async function erasedAfterCopy({ open, copy }: Databases, path: string): Promise<void> {
  const before = await open('current', new ErasureLedger(path));
  await before.applyLedger();
  await before.write(prefix([A, B], 'secret'));
  await before.write(erase([NEVER_SEEN], 4_000));
  await before.finishErasures('guild');
  await before.close();
  await copy('current', 'older');
  const store = await open('current', new ErasureLedger(path));
  await store.applyLedger();
  await store.write(erase([A], 5_000));
  await store.forget(CHANGE.actor.id, 6_000);
  await Promise.all([store.finishErasures('guild'), store.finishErasures('person')]);
  await store.close();
}

const linesOf = (path: string) => readFileSync(path, 'utf8').match(/.*\n/g) ?? [];

const idsIn = (path: string) =>
  linesOf(path)
    .slice(1)
    .map((line): string => JSON.parse(line).id);

async function authorsOf(store: TestStore): Promise<string[]> {
  const range = { guildId: B, after: 0, before: 100, order: 'oldest-first', limit: 10 } as const;
  return (await store.readHistory(range)).map(({ actor }) => actor.id);
}

/** Returns the lines that replace those of a ledger; undefined: no file. */
type Tamper = (lines: string[], foreign: string[]) => readonly string[] | undefined;

/** A change of a ledger of which the database has seen two of four lines, and the message at the start. */
const REFUSED: readonly [name: string, tamper: Tamper, message: string][] = [
  ['the first line of another database', ([, ...lines], foreign) => [...foreign, ...lines], 'found that of '],
  ['the ledger of another database', (_, foreign) => foreign, 'found that of '],
  ['without the first line', (lines) => lines.slice(1), 'Expected line 1 '],
  ['without a line in the middle', (lines) => lines.toSpliced(2, 1), 'Expected line 3 '],
  ['with a changed line', (lines) => lines.with(2, (lines[2] ?? '').replace('"at":"1', '"at":"2')), 'Expected line 3 '],
  [
    'with a changed last line',
    (lines) => lines.with(3, (lines[3] ?? '').replace('person', 'guild')),
    'Expected line 4 ',
  ],
  ['with a line that nobody can read', (lines) => lines.with(2, '?\n'), 'Expected line 3 '],
  ['with a line that was written by hand', (lines) => [...lines, lines[3] ?? ''], 'Expected line 5 '],
  ['in another order', ([a = '', b = '', c = '', d = '']) => [a, b, d, c], 'Expected line 3 '],
  ['emptied', () => [], 'found an empty file at '],
  ['missing', () => undefined, 'found no file at '],
  ['cut shorter', (lines) => lines.slice(0, 1), 'Expected at least 2 lines '],
  [
    'cut in the middle of a line that was seen',
    (lines) => [lines.slice(0, 2).join('').slice(0, -1)],
    'Expected at least 2 lines ',
  ],
];

/** The cases that each store runs: both use the same check of the lines. */
const SAMPLE = ['the ledger of another database', 'missing', 'cut shorter'];

describe.each([
  ['SQLite', sqliteIn, REFUSED],
  ['PostgreSQL', postgres, REFUSED.filter(([name]) => SAMPLE.includes(name))],
] as const)('the ledger of erasures, with %s,', (_name, databasesIn, rows) => {
  test('erases again in an older copy what was erased since, under its own id and once', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'erasures');
    const databases = await databasesIn(folder.path);
    await erasedAfterCopy(databases, path);
    const older = await databases.open('older', new ErasureLedger(path));
    expect(await older.read(A)).toMatchObject({ settings: { prefix: 'secret' } });
    expect(await older.applyLedger()).toBe(2);
    expect(await older.read(A)).toBeNull();
    await Promise.all([older.finishErasures('guild'), older.finishErasures('person')]);
    expect(await authorsOf(older)).toEqual(['']);
    expect(await older.readErasure(A)).toMatchObject({ at: 5_000, revision: 3 });
    const { entries } = await older.readFeed(2, 10);
    expect(entries).toEqual([{ revision: 3, erased: A }]);
    // Settings that are set from now on are not erased by the same line again.
    await older.write(prefix([A], 'new'));
    await older.close();
    const again = await databases.open('older', new ErasureLedger(path));
    expect(await again.applyLedger()).toBe(0);
    expect(await again.read(A)).toMatchObject({ settings: { prefix: 'new' } });
    await again.close();
  });

  test('is completed, and a part of a line replaced, after a crash between the commit and the line', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'erasures');
    const databases = await databasesIn(folder.path);
    const killed = await databases.open('current', new ErasureLedger(path));
    await killed.applyLedger();
    await killed.write(prefix([A], 'secret'));
    renameSync(path, `${path}-away`);
    await expect(killed.forget(CHANGE.actor.id, 6_000)).rejects.toThrow(WriteUnconfirmedError);
    await killed.close();
    renameSync(`${path}-away`, path);
    appendFileSync(path, `{"id":"${'2'.repeat(300)}`);
    for (const run of ['the next start', 'the one after it']) {
      const ledger = new ErasureLedger(path);
      const store = await databases.open('current', ledger);
      expect(await store.applyLedger({ isNewAllowed: false }), run).toBe(0);
      expect([ledger.isCutOff, ledger.entries]).toEqual([
        false,
        [expect.objectContaining({ kind: 'person', at: 6_000 })],
      ]);
      await store.close();
    }
  });

  test('is written by a database that had none until now, with what was erased before', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'erasures');
    const databases = await databasesIn(folder.path);
    const without = await databases.open('current');
    await without.applyLedger({ isNewAllowed: false });
    await without.write(prefix([A], 'secret'));
    await without.write(erase([A], 5_000));
    await without.close();
    const store = await databases.open('current', new ErasureLedger(path));
    expect(await store.applyLedger({ isNewAllowed: false })).toBe(0);
    await store.close();
    expect(idsIn(path)).toHaveLength(1);
    // From now on a missing ledger is noticed.
    const forgotten = await databases.open('current');
    await expect(forgotten.applyLedger({ isNewAllowed: false })).rejects.toThrow('Expected ERASURE_LEDGER, found none');
    expect(await forgotten.applyLedger({ isNewAllowed: true })).toBe(0);
    expect(await forgotten.applyLedger({ isNewAllowed: false })).toBe(0);
    await forgotten.close();
  });

  test('is refused after a copy of it was continued by an older copy of the database', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'erasures');
    const databases = await databasesIn(folder.path);
    await erasedAfterCopy(databases, path);
    const copied = join(folder.path, 'copied');
    writeFileSync(copied, linesOf(path).slice(0, 2).join(''));
    const apart = await databases.open('older', new ErasureLedger(copied));
    await apart.applyLedger();
    await apart.write(erase([B], 7_000));
    await apart.finishErasures('guild');
    await apart.close();
    const store = await databases.open('older', new ErasureLedger(path));
    await expect(store.applyLedger()).rejects.toThrow('Expected the line 3 that the database has seen');
    expect(await store.read(A)).toMatchObject({ settings: { prefix: 'secret' } });
    await store.close();
  });

  describe('beside an older copy of the database that has seen two of its four lines,', () => {
    const folder = temporaryFolder();
    afterAll(() => folder[Symbol.dispose]());
    const [whole, foreign] = [join(folder.path, 'whole'), join(folder.path, 'foreign')];
    let databases: Databases;
    beforeAll(async () => {
      databases = await databasesIn(folder.path);
      await erasedAfterCopy(databases, whole);
      const other = await databases.open('empty', new ErasureLedger(foreign));
      await other.applyLedger();
      await other.close();
    });

    /** Puts a ledger beside the older copy. */
    async function put(name: string, tamper: Tamper) {
      const path = join(folder.path, `ledger of ${name}`);
      const lines = tamper(linesOf(whole), linesOf(foreign));
      if (lines !== undefined) writeFileSync(path, lines.join(''));
      await databases.copy('older', name);
      return path;
    }

    test.each(rows)(
      '%s it stops the start, and is not changed, until --new begins another one',
      async (name, tamper, message) => {
        const path = await put(name, tamper);
        const found = existsSync(path) && readFileSync(path);
        const refused = await databases.open(name, new ErasureLedger(path));
        const starting = refused.applyLedger({ isNewAllowed: false });
        await expect(starting).rejects.toThrow(message);
        await expect(starting).rejects.toThrow(path);
        await expect(starting).rejects.toThrow(/\. Restore the newest copy of .*, or start once with --new /);
        expect(existsSync(path) && readFileSync(path)).toEqual(found);
        await refused.close();
        for (const isNewAllowed of [true, false]) {
          const store = await databases.open(name, new ErasureLedger(path));
          await store.applyLedger({ isNewAllowed });
          await store.close();
        }
      },
    );

    test.each<[string, Tamper, number, boolean]>([
      ['longer than it', (lines) => lines, 2, false],
      ['longer, with a part of a line at the end,', (lines) => [...lines, '{"id":"22'], 2, true],
      // The limit of detection: the copy has not seen the missing lines.
      ['cut shorter after the lines that were seen', (lines) => lines.slice(0, 3), 1, false],
      ['cut in the middle of a line that was not seen', (lines) => [lines.join('').slice(0, -50)], 1, true],
      ['as long as it', (lines) => lines.slice(0, 2), 0, false],
    ])('%s it is applied', async (name, tamper, applied, isCutOff) => {
      const ledger = new ErasureLedger(await put(name, tamper));
      const store = await databases.open(name, ledger);
      expect(await store.applyLedger({ isNewAllowed: false })).toBe(applied);
      expect(ledger.isCutOff).toBe(isCutOff);
      expect((await store.read(A)) === null).toBe(applied > 0);
      await store.close();
    });
  });

  test('that lost a line at the running process leaves an erasure unconfirmed', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'erasures');
    const databases = await databasesIn(folder.path);
    const store = await databases.open('current', new ErasureLedger(path));
    await store.applyLedger();
    await store.write(prefix([A, B], 'secret'));
    await store.write(erase([A], 5_000));
    await store.finishErasures('guild');
    copyFileSync(path, `${path}-whole`);
    writeFileSync(path, linesOf(path).slice(0, 1).join(''));
    await expect(store.forget(CHANGE.actor.id, 6_000)).rejects.toThrow(WriteUnconfirmedError);
    rmSync(path);
    renameSync(`${path}-whole`, path);
    await store.finishErasures('person');
    expect(idsIn(path)).toHaveLength(2);
    await store.close();
  });
});

describe('the file of the ledger', () => {
  test('has keyed hashes and times, no ids, and is for its owner only', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'own', 'erasures');
    await erasedAfterCopy(sqliteIn(folder.path), path);
    const text = readFileSync(path, 'utf8');
    expect(
      text
        .trim()
        .split('\n')
        .map((line) => Object.keys(JSON.parse(line))),
    ).toEqual([
      ['ledger', 'version', 'database', 'id', 'chain'],
      ['id', 'kind', 'hash', 'at', 'chain'],
      ['id', 'kind', 'hash', 'at', 'chain'],
      ['id', 'kind', 'hash', 'at', 'chain'],
    ]);
    for (const secret of [A, CHANGE.actor.id, 'secret']) expect(text).not.toContain(secret);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test('that cannot be written leaves an erasure unconfirmed, and has it once it can be', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'erasures');
    const store = await sqliteIn(folder.path).open('current', new ErasureLedger(path));
    await store.applyLedger();
    await store.write(prefix([A], 'secret'));
    renameSync(path, `${path}-away`);
    await expect(store.forget(CHANGE.actor.id, 6_000)).rejects.toThrow(WriteUnconfirmedError);
    renameSync(`${path}-away`, path);
    await store.finishErasures('person');
    expect(idsIn(path)).toHaveLength(1);
    await store.close();
  });
});
