import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { fileURLToPath } from 'node:url';
import { startProgram, temporaryFolder, waitUntil } from '@guild-settings/testing';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';

const DEPLOY = fileURLToPath(new URL('../../deploy', import.meta.url));
const PROGRAMS = fileURLToPath(new URL('../../apps/api/dist', import.meta.url));

/** Returns the script of the container that makes the copies, for use in a folder. */
function backupScript(folder: string): string {
  const compose = readFileSync(`${DEPLOY}/compose.yaml`, 'utf8');
  const [, script = ''] = /^ {2}backup:[\s\S]*? - \|\n((?: {8}.*\n)+)/m.exec(compose) ?? [];
  return script.replaceAll('$$', '$').replaceAll('/srv/guild-settings', folder);
}

/** Writes a database in use: the last writes are in its log. */
function openDatabase(path: string): Database.Database {
  const db = new Database(path);
  db.pragma('journal_mode = WAL');
  db.exec('CREATE TABLE some (id INTEGER)');
  return db;
}

test('a backup fails when the ledger of ERASURE_LEDGER is missing', async () => {
  using folder = temporaryFolder();
  openDatabase(folder.file('api.db')).close();
  const env = { PATH: process.env.PATH, ERASURE_LEDGER: folder.file('ledger') };
  const args = [`${DEPLOY}/backup.sh`, folder.file('api.db'), folder.path];
  const { code, stderr } = await startProgram({ file: '/bin/sh', args, cwd: folder.path, env }).finished();
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining(`Expected the ledger of erasures at ${env.ERASURE_LEDGER}`),
  ]);
  expect(readdirSync(folder.path)).toEqual(['api.db']);
});

test('the first backup of containers is made when there are files, the next one a day later, and a failed one is tried again', async () => {
  using folder = temporaryFolder();
  for (const name of ['data', 'bot-data', 'backups', 'bin']) mkdirSync(folder.file(name));
  copyFileSync(`${DEPLOY}/backup.sh`, folder.file('backup.sh'));
  symlinkSync(PROGRAMS, folder.file('dist'));
  // Shortens a minute.
  writeFileSync(folder.file('bin/sleep'), '#!/bin/sh\necho waiting\nexec /bin/sleep 0.05\n', { mode: 0o755 });
  const copies = (name: string) =>
    readdirSync(folder.file('backups')).filter((file) => file.startsWith(name) && file.endsWith('.db'));
  await using loop = startProgram({
    file: '/bin/sh',
    args: ['-c', backupScript(folder.path)],
    cwd: folder.path,
    env: { PATH: `${folder.file('bin')}:${process.env.PATH}` },
  });
  /** Waits until the files were checked twice more. */
  const looked = async () => {
    const count = () => loop.stdout().split('waiting').length;
    const before = count();
    await waitUntil(() => count() > before + 2);
  };

  await looked();
  expect(readdirSync(folder.file('backups'))).toEqual([]);
  const api = openDatabase(folder.file('data/guild-settings.db'));
  await waitUntil(() => copies('guild-settings-').length === 1);
  writeFileSync(folder.file('bot-data/bot.db'), 'no database');
  await waitUntil(() => /bot\.db cannot be copied/.test(loop.stderr()));
  await looked();
  expect([copies('guild-settings-').length, copies('bot-').length]).toEqual([1, 0]);
  // The time of the last backup, which the programs read.
  expect(
    ['data/guild-settings.db', 'bot-data/bot.db'].map((file) => existsSync(folder.file(`${file}-backup`))),
  ).toEqual([true, false]);
  const yesterday = Date.now() / 1_000 - 86_500;
  const [first = ''] = copies('guild-settings-');
  utimesSync(folder.file(`backups/${first}`), yesterday, yesterday);
  await waitUntil(() => copies('guild-settings-').length === 2);
  await looked();
  expect(copies('guild-settings-')).toHaveLength(2);
  expect(await loop.end('SIGTERM')).toEqual({ code: 0, signal: null });
  api.close();

  const page = readFileSync(`${DEPLOY}/../docs/operate.md`, 'utf8');
  const [, restore = ''] = /^docker compose run --rm --no-deps backup sh -c '(.*)'$/m.exec(page) ?? [];
  writeFileSync(folder.file('data/guild-settings.db'), 'lost');
  const args = ['-c', restore];
  expect(await startProgram({ file: '/bin/sh', args, cwd: folder.path }).finished()).toMatchObject({ code: 0 });
  const [newest = ''] = copies('guild-settings-').filter((name) => name !== first);
  const read = (name: string) => readFileSync(folder.file(name));
  expect(read('data/guild-settings.db').equals(read(`backups/${newest}`))).toBe(true);
});
