import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { queryPostgres, startTestPostgres } from '@guild-settings/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { A, openTestSqlite, prefix } from '../src/testing/store-commands.ts';

const server = await startTestPostgres();
const folder = mkdtempSync(join(tmpdir(), 'guild-settings-cli-failures-'));
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

/** A password that needs percent-encoding in an address. */
const PASSWORD = 'pa/ss@wo rd!';
const ENCODED = encodeURIComponent(PASSWORD);

/** A user without rights; users belong to the server and not to a database of it. */
const WEAK = `weak_${randomUUID()}`;

const file = join(folder, 'api.db');
let good: URL;

beforeAll(async () => {
  const store = openTestSqlite(file);
  await store.write(prefix([A], '?'));
  await store.close();
  good = new URL(await server.createDatabase());
  await queryPostgres(good.href, `CREATE USER "${WEAK}" PASSWORD '${PASSWORD}'`);
  await queryPostgres(good.href, 'REVOKE ALL ON SCHEMA public FROM PUBLIC');
});

/** The good address with other parts. */
const address = (parts: Partial<Pick<URL, 'host' | 'username' | 'password' | 'pathname'>>) =>
  Object.assign(new URL(good), parts).href;

function noDatabase(): string {
  const path = join(folder, 'no.db');
  writeFileSync(path, 'no database'.repeat(1_000));
  return path;
}

function empty(): string {
  const path = join(folder, 'empty.db');
  writeFileSync(path, '');
  return path;
}

async function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const main = fileURLToPath(new URL(`../dist/cli/${command}.js`, import.meta.url));
  const child = spawn(process.execPath, [main, ...args], { env: { PATH: process.env.PATH, ...env } });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, output: output.trim() };
}

interface Failure {
  readonly what: string;
  readonly command: 'migrate' | 'copy' | 'backup';
  readonly args: () => readonly string[];
  readonly says: string;
}

/** A whole address with a password in it. */
const withPassword = `postgres://me:${PASSWORD}@127.0.0.1/x`;
const target = `file:${folder}/backup.db`;
const copyTo = (url: string) => ['--from', `file:${file}`, '--to', url];
const backupOf = (path: string) => ['--from', `file:${path}`, '--to', target];

const FAILURES: readonly Failure[] = [
  {
    what: 'a wrong password',
    command: 'copy',
    args: () => copyTo(address({ username: WEAK, password: 'wrong-password' })),
    says: 'refused the password',
  },
  {
    what: 'a database that is not there',
    command: 'copy',
    args: () => copyTo(address({ pathname: '/missing' })),
    says: 'no database of this name',
  },
  {
    what: 'a broken address',
    command: 'copy',
    args: () => copyTo(`${withPassword}[`),
    says: 'Expected postgres://<user>',
  },
  { what: 'an address in place of an option', command: 'copy', args: () => [withPassword], says: '--help' },
  {
    what: 'an option given twice',
    command: 'copy',
    args: () => ['--to', withPassword, '--to', 'x'],
    says: '--to once',
  },
  { what: 'a missing option', command: 'copy', args: () => ['--to', withPassword], says: 'Expected --from' },
  {
    what: 'a file that is no database',
    command: 'copy',
    args: () => ['--from', `file:${noDatabase()}`, '--to', address({})],
    says: 'no SQLite database',
  },
  {
    what: 'a user without rights',
    command: 'migrate',
    args: () => ['--to', address({ username: WEAK, password: ENCODED })],
    says: 'lacks a permission',
  },
  {
    what: 'a port where nothing listens',
    command: 'migrate',
    args: () => ['--to', address({ host: '127.0.0.1:1', password: ENCODED })],
    says: 'Nothing listens',
  },
  { what: 'no address', command: 'migrate', args: () => [], says: 'DATABASE_URL' },
  { what: 'no file', command: 'backup', args: () => backupOf('/nowhere/x.db'), says: 'found no file' },
  {
    what: 'a file that is no database',
    command: 'backup',
    args: () => backupOf(noDatabase()),
    says: 'no SQLite database',
  },
  { what: 'an empty file', command: 'backup', args: () => backupOf(empty()), says: 'found an empty file' },
  {
    what: 'a folder that cannot be made',
    command: 'backup',
    args: () => ['--from', `file:${file}`, '--to', `file:${file}/backup.db`],
    says: 'Choose another path',
  },
];

test('every error of a command is one line with a remedy and without a secret', async () => {
  const inTurn = async (failures: readonly Failure[]) => {
    for (const { what, command, args, says } of failures) {
      const { code, output } = await run(command, args());
      expect.soft(output, `${command}, ${what}`).toContain(says);
      expect.soft(output.split('\n'), `${command}, ${what}`).toHaveLength(1);
      expect.soft(code, `${command}, ${what}`).toBeGreaterThan(0);
      for (const secret of [PASSWORD, 'wo rd!', ENCODED, 'wrong-password']) {
        expect.soft(output, `${command}, ${what}`).not.toContain(secret);
      }
    }
  };
  const [copies, others] = [true, false].map((isCopy) =>
    FAILURES.filter(({ command }) => (command === 'copy') === isCopy),
  );
  // Copies one after another: they lock the file.
  await Promise.all([inTurn(copies ?? []), inTurn(others ?? [])]);
});
