import { appendFileSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startTestPostgres, temporaryFolder } from '@guild-settings/testing';
import { afterAll, describe, expect, test } from 'vitest';
import { migratedDatabase } from '../../testing/postgres-resource.ts';
import {
  A,
  B,
  CHANGE,
  erase,
  openTestPostgres,
  openTestSqlite,
  prefix,
  type TestStore,
} from '../../testing/store-commands.ts';
import { backUp } from '../sqlite/back-up.ts';
import { WriteUnconfirmedError } from '../store.ts';
import { ErasureLedger } from './erasure-ledger.ts';

const server = await startTestPostgres();
afterAll(() => server[Symbol.asyncDispose]());

/** A database of one kind, and how an older copy of it is made and opened. */
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

/** Writes two guilds, keeps a copy, then erases one of them and the author of all changes. */
async function erasedAfterCopy({ open, copy }: Databases, path: string): Promise<void> {
  const before = await open('current');
  await before.write(prefix([A, B], 'secret'));
  await before.close();
  await copy('current', 'older');
  const store = await open('current', new ErasureLedger(path));
  await store.applyLedger();
  await store.write(erase([A], 5_000));
  await store.forget(CHANGE.actor.id, 6_000);
  await Promise.all([store.finishErasures('guild'), store.finishErasures('person')]);
  await store.close();
}

async function authorsOf(store: TestStore): Promise<string[]> {
  const range = { guildId: B, after: 0, before: 100, order: 'oldest-first', limit: 10 } as const;
  return (await store.readHistory(range)).map(({ actor }) => actor.id);
}

describe.each([
  ['SQLite', sqliteIn],
  ['PostgreSQL', postgres],
])('the ledger of erasures, with %s,', (_name, databasesIn) => {
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
    // What is set from now on is not erased by the same line again.
    await older.write(prefix([A], 'new'));
    await older.close();
    const again = await databases.open('older', new ErasureLedger(path));
    expect(await again.applyLedger()).toBe(0);
    expect(await again.read(A)).toMatchObject({ settings: { prefix: 'new' } });
    await again.close();
  });

  test('is accepted beside a new, empty database, and completed from a database that it is behind', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'erasures');
    const databases = await databasesIn(folder.path);
    await erasedAfterCopy(databases, path);
    const empty = await databases.open('empty', new ErasureLedger(path));
    expect(await empty.applyLedger()).toBe(2);
    await empty.close();
    // A process that was killed after its commits has not written the last two lines.
    const lines = readFileSync(path, 'utf8').split('\n');
    const withoutLast = join(folder.path, 'behind');
    writeFileSync(withoutLast, `${lines.slice(0, 2).join('\n')}\n${lines[2]?.slice(0, 20)}`);
    const ledger = new ErasureLedger(withoutLast);
    expect([ledger.entries.length, ledger.damagedLines]).toEqual([1, 1]);
    const store = await databases.open('current', ledger);
    await store.applyLedger();
    await store.close();
    expect(new ErasureLedger(withoutLast).entries.map(({ id }) => id).sort()).toEqual(
      new ErasureLedger(path).entries.map(({ id }) => id).sort(),
    );
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
      ['ledger', 'version', 'key'],
      ['id', 'kind', 'hash', 'at'],
      ['id', 'kind', 'hash', 'at'],
    ]);
    for (const secret of [A, CHANGE.actor.id, 'secret']) expect(text).not.toContain(secret);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test('continues on a line of its own after one that was cut off', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'erasures');
    const key = 'k'.repeat(43);
    const entry = (id: string) => ({ id: id.repeat(22), kind: 'guild', hash: 'h'.repeat(43), at: 0 }) as const;
    await new ErasureLedger(path).append([entry('1')], key);
    appendFileSync(path, '{"id":"22');
    const ledger = new ErasureLedger(path);
    await ledger.append([entry('1'), entry('2')], key);
    expect(new ErasureLedger(path).entries).toEqual([entry('1'), entry('2')].map((one) => ({ ...one, key })));
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
    expect(new ErasureLedger(path).entries).toMatchObject([{ kind: 'person', at: 6_000 }]);
    await store.close();
  });

  test('with lines but without a key is refused', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'erasures');
    await new ErasureLedger(path).append(
      [{ id: 'i'.repeat(22), kind: 'guild', hash: 'h'.repeat(43), at: 0 }],
      'k'.repeat(43),
    );
    const whole = readFileSync(path, 'utf8');
    writeFileSync(path, whole.slice(whole.indexOf('\n') + 1));
    expect(() => new ErasureLedger(path)).toThrow(
      /Expected a key before line 1 .* Put a copy of the whole file in its place/,
    );
  });
});
