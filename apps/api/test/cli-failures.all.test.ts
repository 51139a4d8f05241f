import { randomUUID } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { queryPostgres, startTestPostgres } from '@guild-settings/testing';
import { runCommandHere } from '@guild-settings/testing/api-programs';
import { A, migratedDatabase, openTestSqlite, prefix } from '@guild-settings/testing/stores';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';

const server = await startTestPostgres();
const folder = mkdtempSync(join(tmpdir(), 'guild-settings-cli-failures-'));
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

/** A password that needs percent-encoding in a URL. */
const PASSWORD = 'pa/ss@wo rd!';
const ENCODED = encodeURIComponent(PASSWORD);

/** The time of a migration that this version does not know. */
const FAR_FUTURE = 9_000_000_000_000;

/** A user without rights; users belong to the server and not to a single database. */
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

const address = (parts: Partial<Pick<URL, 'host' | 'username' | 'password' | 'pathname'>>) =>
  Object.assign(new URL(good), parts).href;

function noDatabase(): string {
  const path = join(folder, 'no.db');
  writeFileSync(path, 'no database'.repeat(1_000));
  return path;
}

/** A migrated database whose record of migrations is changed by a statement. */
async function migrated(statement: string): Promise<string> {
  const url = await migratedDatabase(server);
  await queryPostgres(url, statement);
  return url;
}

function newer(): string {
  const path = join(folder, 'newer.db');
  copyFileSync(file, path);
  const db = new Database(path);
  db.prepare('INSERT INTO __drizzle_migrations (hash, created_at) VALUES (?, ?)').run('newer', FAR_FUTURE);
  db.close();
  return path;
}

/** A folder whose lock is in the folder of the test. */
function aFolder(): string {
  const path = join(folder, 'folder');
  mkdirSync(path, { recursive: true });
  return path;
}

interface Failure {
  readonly what: string;
  readonly command: 'migrate' | 'copy' | 'backup';
  readonly args: () => readonly string[] | Promise<readonly string[]>;
  readonly env?: NodeJS.ProcessEnv;
  readonly says: string;
}

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
    what: 'a newer target',
    command: 'copy',
    args: async () =>
      copyTo(
        await migrated(`INSERT INTO drizzle.__drizzle_migrations (hash, created_at) VALUES ('newer', ${FAR_FUTURE})`),
      ),
    says: 'The target has a newer schema than this version. Run the copy command of the newer version',
  },
  {
    what: 'a newer file',
    command: 'copy',
    args: async () => ['--from', `file:${newer()}`, '--to', await migrated('SELECT 1')],
    says: 'The file has a newer schema than this version. Run the copy command of the newer version',
  },
  {
    what: 'a target in use',
    command: 'copy',
    args: async () =>
      copyTo(
        await migrated("INSERT INTO meta (id, database_id, last_revision, oldest_revision) VALUES (1, 'x', 0, 1)"),
      ),
    says: 'The target is in use',
  },
  {
    what: 'no file',
    command: 'copy',
    args: () => ['--from', 'file:/nowhere/x.db', '--to', address({})],
    says: 'found no file. Check --from',
  },
  { what: 'a folder', command: 'backup', args: () => backupOf(aFolder()), says: 'found a folder' },
  {
    what: 'tables of another service',
    command: 'migrate',
    args: async () => {
      const url = await server.createDatabase();
      await queryPostgres(url, 'CREATE TABLE guilds (id int)');
      return ['--to', url];
    },
    says: 'tables of another service. Use an empty database',
  },
  {
    what: 'the address of a file',
    command: 'migrate',
    args: () => [],
    env: { DATABASE_URL: 'file:./data/guild-settings.db' },
    says: 'SQLite files are migrated when the api starts',
  },
  {
    what: 'the address of a file',
    command: 'copy',
    args: () => ['--from', `file:${file}`],
    env: { DATABASE_URL: `file:${file}` },
    says: 'received a file. Set it to the database to copy to, or name that with --to.',
  },
  {
    what: 'a broken address in the environment',
    command: 'migrate',
    args: () => [],
    env: { DATABASE_URL: withPassword.replace('postgres:', 'postgre:') },
    says: 'for DATABASE_URL, received a hidden value.',
  },
  {
    what: 'a broken address',
    command: 'copy',
    args: () => copyTo(`${withPassword}[`),
    says: 'Expected postgres://<user>',
  },
  { what: 'an address in place of an option', command: 'copy', args: () => [withPassword], says: '--help' },
  {
    what: 'a file that is no database',
    command: 'backup',
    args: () => backupOf(noDatabase()),
    says: `no.db cannot be copied: file is not a database (SQLITE_NOTADB). The file is not a SQLite database`,
  },
  {
    what: 'a folder that cannot be made',
    command: 'backup',
    args: () => ['--from', `file:${file}`, '--to', `file:${file}/backup.db`],
    says: 'Choose another path',
  },
];

test('every error of a command is one line with a remedy and without a secret', async () => {
  for (const { what, command, args, env = {}, says } of FAILURES) {
    const { code, output } = await runCommandHere(command, { args: await args(), env });
    expect.soft(output, `${command}, ${what}`).toContain(says);
    expect.soft(output.split('\n'), `${command}, ${what}`).toHaveLength(1);
    expect.soft(code, `${command}, ${what}`).toBeGreaterThan(0);
    for (const secret of [PASSWORD, 'wo rd!', ENCODED, 'wrong-password']) {
      expect.soft(output, `${command}, ${what}`).not.toContain(secret);
    }
  }
});
