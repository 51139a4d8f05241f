import { mkdtempSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnApi, startApiProcess } from '@guild-settings/testing/api-programs';
import { IDS } from '@guild-settings/testing/people';
import { afterAll, expect, test } from 'vitest';

const root = mkdtempSync(join(tmpdir(), 'guild-settings-file-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Variables without a simulated Discord: these tests do not call operations that need a token. */
const envOf = (path: string): NodeJS.ProcessEnv => ({
  DATABASE_URL: `file:${path}`,
  DISCORD_API_URL: 'http://127.0.0.1:1/api',
  DISCORD_APPLICATION_ID: IDS.application,
});

const folder = () => mkdtempSync(join(root, 'data-'));

/** Starts the api, expects it to refuse, and returns its output. */
async function refusal(path: string, args: readonly string[] = []): Promise<string> {
  const api = spawnApi({ PORT: '0', ...envOf(path) }, args);
  expect(await api.findOutput(/listening at/, 30_000)).toBeNull();
  expect(await api.end('SIGKILL'), api.output()).toEqual({ code: 1, signal: null });
  expect(api.output()).not.toContain('    at ');
  return api.output();
}

/** Starts the api, expects it to serve, stops it, and returns its output. */
async function serve(path: string, args: readonly string[] = []): Promise<string> {
  const api = await startApiProcess(envOf(path), args);
  expect(await api.end('SIGTERM')).toEqual({ code: 0, signal: null });
  return api.output();
}

test('a lost database prevents the start until the api is started once with --new, which it warns of', async () => {
  const path = join(folder(), 'data', 'api.db');
  await serve(path);
  rmSync(path);
  const output = await refusal(path);
  expect(output).toContain('found no file. Files of it remain: -id');
  expect(output).toContain('--new');
  expect((await serve(path, ['--new'])).match(/started with --new/g)).toHaveLength(1);
  expect(await serve(path)).not.toContain('--new');
});

test('an unknown argument prevents the start', async () => {
  expect(await refusal(join(folder(), 'api.db'), ['--knew'])).toContain("'--knew'");
});

test('a second api process on a file does not start, by any path to it, and names the file and the process', async () => {
  const path = join(folder(), 'api.db');
  const link = join(folder(), 'link.db');
  symlinkSync(path, link);
  const first = await startApiProcess(envOf(path));
  for (const name of [path, link]) {
    const output = await refusal(name);
    expect(output).toContain(`process ${first.pid} on host`);
    expect(output).toContain(path);
  }
  await first.end('SIGKILL');
  await serve(path);
});

test('a database, its folder and the files beside it are accessible to their owner only', async () => {
  const path = join(folder(), 'data', 'api.db');
  const umask = process.umask(0);
  const api = await startApiProcess(envOf(path)).finally(() => process.umask(umask));
  const modes = ['', '-wal', '-shm', '-lock', '-id'].map((suffix) => [suffix, statSync(path + suffix).mode & 0o777]);
  await api.end('SIGKILL');
  expect(Object.fromEntries(modes)).toEqual({ '': 0o600, '-wal': 0o600, '-shm': 0o600, '-lock': 0o600, '-id': 0o600 });
  expect(statSync(join(path, '..')).mode & 0o777).toBe(0o700);
});
