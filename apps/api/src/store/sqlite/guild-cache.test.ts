import { temporaryFile } from '@guild-settings/testing';
import { A, erase, fixture, openTestSqlite, prefix, type TestStore } from '@guild-settings/testing/stores';
import { expect, test as plainTest } from 'vitest';

const test = plainTest.extend<{ file: ReturnType<typeof temporaryFile>; path: string; store: TestStore }>({
  file: fixture(() => temporaryFile()),
  path: ({ file }, use) => use(file.path),
  store: async ({ path }, use) => {
    const store = openTestSqlite(path);
    await use(store);
    await store.close();
  },
});

/** Reads a guild as often as it takes to keep it, and returns what is kept. */
async function readOften(store: TestStore) {
  for (let reads = 0; reads < 8; reads += 1) await store.read(A);
  return store.read(A);
}

test('a guild that is read often is kept', async ({ store }) => {
  await store.write(prefix([A], '?'));
  expect(await readOften(store)).toBe(await store.read(A));
});

test('a change of a guild that is kept is read at once', async ({ store }) => {
  await store.write(prefix([A], '?'));
  for (const value of ['!', '.', '$']) {
    await readOften(store);
    await store.write(prefix([A], value));
    expect((await store.read(A))?.settings.prefix).toBe(value);
  }
});

test('a change of a guild that is kept replaces it by what the file has', async ({ store, path }) => {
  await store.write(prefix([A], '?'));
  const kept = await readOften(store);
  await store.write(prefix([A], '!'));
  const changed = await store.read(A);
  expect(changed).not.toBe(kept);
  expect(await store.read(A)).toBe(changed);
  const other = openTestSqlite(path);
  expect(await other.read(A)).toEqual(changed);
  await other.close();
});

test('a guild that is erased, and changed in the same transaction, is read as it was changed', async ({ store }) => {
  await store.write(prefix([A], '?'));
  await readOften(store);
  await store.writeAll([erase([A]), prefix([A], '!')]);
  expect((await store.read(A))?.settings.prefix).toBe('!');
  await store.writeAll([prefix([A], '.'), erase([A])]);
  expect(await store.read(A)).toBeNull();
});
