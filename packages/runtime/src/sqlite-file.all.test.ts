import { mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Program, startProgram } from '@guild-settings/testing';
import { afterAll, expect, test } from 'vitest';
import { FileInUseError, lockFile } from './sqlite-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'guild-settings-lock-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const MODULE = fileURLToPath(new URL('sqlite-file.ts', import.meta.url));

/** Starts a process that locks a file, keeps no reference to the lock, collects its garbage, and reports. */
async function lockElsewhere(path: string): Promise<Program> {
  const script = `import { lockFile } from ${JSON.stringify(MODULE)};
    lockFile(${JSON.stringify(path)}); setInterval(() => {}, 1_000);
    setImmediate(() => { gc(); console.log('locked'); });`;
  const program = startProgram({ args: ['--expose-gc', '--input-type=module', '-e', script] });
  await program.waitForOutput(/locked/);
  return program;
}

test('a file that another process has locked is refused, with the name of the file and the id of the process', async () => {
  const path = join(folder, 'locked.db');
  const holder = await lockElsewhere(path);
  expect(() => lockFile(path)).toThrow(FileInUseError);
  expect(() => lockFile(path)).toThrow(`(process ${holder.pid} on host`);
  expect(() => lockFile(path)).toThrow(path);
  await holder.end('SIGKILL');
  lockFile(path)();
});

test('a lock of a process that was killed is free at once, whatever process has its id now', async () => {
  const path = join(folder, 'killed.db');
  for (let round = 0; round < 3; round++) {
    const holder = await lockElsewhere(path);
    await holder.end('SIGKILL');
  }
  lockFile(path)();
});

test('every name of a file leads to its one lock: relative paths, symbolic links, and links to a file yet to be made', () => {
  const path = join(folder, 'named.db');
  const links = { folder: join(folder, 'folder-link'), file: join(folder, 'file-link.db') };
  symlinkSync(folder, links.folder);
  symlinkSync('named.db', links.file);
  for (const make of [() => {}, () => writeFileSync(path, '')]) {
    make();
    const release = lockFile(path);
    for (const name of [relative(process.cwd(), path), join(links.folder, 'named.db'), links.file]) {
      expect(() => lockFile(name), name).toThrow(FileInUseError);
    }
    release();
  }
});

test('a released lock can be taken again, and a lock file is private', () => {
  const path = join(folder, 'sub', 'again.db');
  for (let round = 0; round < 3; round++) lockFile(path)();
  expect(statSync(`${path}-lock`).mode & 0o777).toBe(0o600);
  expect(statSync(join(folder, 'sub')).mode & 0o777).toBe(0o700);
});
