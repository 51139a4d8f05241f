import { temporaryFolder } from '@guild-settings/testing';
import { expect, test } from 'vitest';
import { A, erase, openTestSqlite, prefix, type TestStore } from '../../testing/store-commands.ts';

test('a guild that was read is kept', async () => {
  await using opened = openResource();
  const { store } = opened;
  await store.write(prefix([A], '?'));
  const [first, second] = [await store.read(A), await store.read(A)];
  expect(second).toBe(first);
});

test('a change of a guild that is kept is read at once', async () => {
  await using opened = openResource();
  const { store } = opened;
  await store.write(prefix([A], '?'));
  for (const value of ['!', '.', '$']) {
    await store.read(A);
    await store.read(A);
    await store.write(prefix([A], value));
    expect((await store.read(A))?.settings.prefix).toBe(value);
  }
});

test('a change of a guild that is kept replaces it by what the file has', async () => {
  await using opened = openResource();
  const { store, path } = opened;
  await store.write(prefix([A], '?'));
  await store.read(A);
  const kept = await store.read(A);
  await store.write(prefix([A], '!'));
  const changed = await store.read(A);
  expect(changed).not.toBe(kept);
  expect(await store.read(A)).toBe(changed);
  const other = openTestSqlite(path);
  expect(await other.read(A)).toEqual(changed);
  await other.close();
});

test('a guild that is erased, and changed in the same transaction, is read as it was changed', async () => {
  await using opened = openResource();
  const { store } = opened;
  await store.write(prefix([A], '?'));
  await store.read(A);
  await store.read(A);
  await store.writeAll([erase([A]), prefix([A], '!')]);
  expect((await store.read(A))?.settings.prefix).toBe('!');
  await store.writeAll([prefix([A], '.'), erase([A])]);
  expect(await store.read(A)).toBeNull();
});

function openResource(): AsyncDisposable & { readonly store: TestStore; readonly path: string } {
  const folder = temporaryFolder();
  const path = `${folder.path}/test.db`;
  const store = openTestSqlite(path);
  return {
    store,
    path,
    async [Symbol.asyncDispose]() {
      await store.close();
      folder[Symbol.dispose]();
    },
  };
}
