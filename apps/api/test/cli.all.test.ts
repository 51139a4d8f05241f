import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lockFile } from '@guild-settings/runtime/sqlite-file';
import { queryPostgres, startTestPostgres } from '@guild-settings/testing';
import { type RunOptions, runBuilt } from '@guild-settings/testing/api-programs';
import { A, B, openTestPostgres, openTestSqlite, prefix } from '@guild-settings/testing/stores';
import { afterAll, describe, expect, test } from 'vitest';

const server = await startTestPostgres();
const folder = await mkdtemp(join(tmpdir(), 'guild-settings-cli-'));
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const run = (command: string, args: readonly string[], options: RunOptions = {}) =>
  runBuilt(command, { args, ...options });

describe('migrate', () => {
  test('migrates an empty database for the api, and can be repeated', async () => {
    const url = await server.createDatabase();
    expect(await run('migrate', [], { env: { DATABASE_URL: url } })).toMatchObject({
      code: 0,
      stdout: 'The database is up to date.\n',
    });
    expect(await run('migrate', ['--to', url, '--json'])).toMatchObject({ code: 0, stdout: '{"migrated":true}\n' });
    await (await openTestPostgres(url)).close();
  });
});

describe('backup', () => {
  test('copies a consistent snapshot of a file that is being written', async () => {
    const path = join(folder, 'live.db');
    const store = openTestSqlite(path);
    let isDone = false;
    const writing = (async () => {
      for (let turn = 1; !isDone; turn++) {
        await store.write(prefix([A, B], `${turn}`));
        await new Promise((resolve) => setImmediate(resolve));
      }
    })();
    const to = join(folder, 'copy.db');
    const copied = await run('backup', ['--from', `file:${path}`, '--to', `file:${to}`]);
    isDone = true;
    await writing;
    await store.close();
    expect(copied).toMatchObject({ code: 0, stdout: `Copied ${path} to ${to} and checked the copy.\n` });
    const copy = openTestSqlite(to);
    const [a, b] = [await copy.read(A), await copy.read(B)];
    expect(a?.settings.prefix).toBe(b?.settings.prefix);
    await copy.close();
  });

  test('starts relative paths where the person is, in the script of a package manager and without one', async () => {
    const path = join(folder, 'here.db');
    await openTestSqlite(path).close();
    const paths = (to: string) => ['--from', 'file:./here.db', '--to', `file:${to}`];
    const printed = (to: string) => ({
      code: 0,
      stdout: `Copied ${path} to ${join(folder, to)} and checked the copy.\n`,
    });
    const script = await run('backup', paths('script.db'), { env: { INIT_CWD: folder } });
    expect(script).toMatchObject(printed('script.db'));
    // A variable set by a package manager for another program is ignored.
    const direct = await run('backup', paths('direct.db'), { env: { INIT_CWD: '/' }, cwd: folder });
    expect(direct).toMatchObject(printed('direct.db'));
  });

  test('overwrites nothing', async () => {
    const path = join(folder, 'there.db');
    await openTestSqlite(path).close();
    const { code, stderr } = await run('backup', ['--from', `file:${path}`, '--to', `file:${path}`]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('is not overwritten')]);
  });
});

describe('copy', () => {
  test('copies a database with progress and one line at the end', async () => {
    const path = join(folder, 'moved.db');
    const store = openTestSqlite(path);
    await store.write(prefix([A, B], '?'));
    await store.close();
    const url = await server.createDatabase();
    await run('migrate', ['--to', url]);
    const copied = await run('copy', ['--from', `file:${path}`, '--to', url]);
    expect(copied).toMatchObject({
      code: 0,
      stdout: `Copied 2 guilds and 2 changes from ${path}, up to revision 2. Every row was compared.\n`,
    });
    expect(copied.stderr).toContain('comparing guilds: 2 of 2 (100 %)');
    expect(await queryPostgres(url, 'SELECT settings FROM guilds')).toEqual([
      { settings: { prefix: '?' } },
      { settings: { prefix: '?' } },
    ]);
    const again = await run('copy', ['--from', `file:${path}`, '--to', url]);
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('The target is in use')]);
  });
});

test('copy refuses a file that an api serves: what it writes meanwhile would be missing', async () => {
  const path = join(folder, 'served.db');
  const release = lockFile(path);
  await openTestSqlite(path).close();
  const { code, stderr } = await run('copy', ['--from', `file:${path}`, '--to', 'postgres://me:secret@127.0.0.1:1/x']);
  release();
  expect([code, stderr]).toEqual([1, expect.stringContaining(`process ${process.pid} on host`)]);
});

test.each(['migrate', 'backup', 'copy'])('%s explains itself, and what it does not understand', async (command) => {
  expect(await run(command, ['--help'])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(new RegExp(`  node /\\S+/dist/${command}\\.js`)),
  });
  const wrong = await run(command, ['--colour']);
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('--help')]);
  const bad = await run(command, ['--from', 'mysql://me:secret@x', '--to', 'mysql://me:secret@x']);
  expect(bad.code).toBe(2);
  expect(bad.stderr).not.toContain('secret');
});

describe('settings', () => {
  test('reads a module by a path that starts where the person is', async () => {
    const module = `import { defineSettings } from '@guild-settings/replica';
      export const settings = defineSettings({ defaults: { prefix: '?' } });`;
    await writeFile(join(folder, 'settings.ts'), module);
    const { code, stdout } = await run('settings', ['check', './settings.ts'], { cwd: folder });
    expect([code, stdout]).toEqual([0, expect.stringContaining('no flaws')]);
  });
});
