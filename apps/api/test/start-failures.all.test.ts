import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, relative } from 'node:path';
import { promisify } from 'node:util';
import { createRedactor, urlSecrets } from '@guild-settings/runtime/log';
import { queryPostgres, startTestPostgres, temporaryFolder, waitUntil } from '@guild-settings/testing';
import { startApi } from '@guild-settings/testing/api';
import { IDS } from '@guild-settings/testing/people';
import { openTestSqlite } from '@guild-settings/testing/stores';
import Database from 'better-sqlite3';
import { afterAll, expect, test } from 'vitest';
import { createApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { explainStartFailure } from '../src/start-failure.ts';
import { migratePostgres } from '../src/store/postgres/database.ts';

const server = await startTestPostgres();
const folder = temporaryFolder();
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

/** Starts the api on a database or environment that it refuses, and returns its explanation. */
async function refusal(databaseUrl: string, more: NodeJS.ProcessEnv = {}): Promise<string> {
  const common = { DISCORD_APPLICATION_ID: IDS.application, PORT: '0', LOG_LEVEL: 'silent' };
  const config = readConfig({ DATABASE_URL: databaseUrl, ...common, ...more });
  const { host, port } = config.server;
  const error: unknown = await createApp(config).then(
    (app) =>
      app.listen({ host, port }).then(
        () => app.close(),
        async (reason: unknown) => {
          await app.close();
          return reason;
        },
      ),
    (reason: unknown) => reason,
  );
  const output = explainStartFailure(error, createRedactor({ secrets: urlSecrets([databaseUrl]), isStrict: true }));
  expect(output.split('\n'), output).toHaveLength(1);
  return output;
}

/** Returns the URL of a SQLite file in a state. */
function file(name: string, make: (path: string) => void): string {
  make(folder.file(name));
  return `file:${folder.file(name)}`;
}

test('PostgreSQL that was not migrated is refused with a command that can be run as it is', async () => {
  const url = await server.createDatabase();
  const output = await refusal(url);
  expect(output).toContain('The database has no tables of this service. Migrate it, with DATABASE_URL');
  const [, remedy = ''] = /in the environment: (.*)$/.exec(output) ?? [];
  const env = { ...process.env, DATABASE_URL: url };
  await promisify(execFile)('bash', ['-c', remedy], { cwd: '/', env });
  await queryPostgres(url, 'UPDATE drizzle.__drizzle_migrations SET created_at = created_at - 1');
  expect(await refusal(url)).toContain('an older schema than this version needs. Migrate it');
});

test('PostgreSQL that cannot be used is explained with a remedy', async () => {
  const good = new URL(await server.createDatabase());
  const address = (parts: Partial<URL>) => Object.assign(new URL(good), parts).href;
  const unfinished = await server.createDatabase();
  await migratePostgres(unfinished);
  await queryPostgres(
    unfinished,
    "INSERT INTO meta (id, database_id, last_revision, oldest_revision) VALUES (1, 'unfinished copy of x', 0, 1)",
  );
  for (const [url, says] of [
    [address({ host: '127.0.0.1:1' }), 'Nothing listens at this host and port'],
    [address({ password: 'wrong-password' }), 'Check the user and the password'],
    [address({ pathname: '/missing' }), 'no database of this name'],
    [address({ search: '?sslmode=verify-full' }), 'enable TLS in the server'],
    [unfinished, 'unfinished copy. Finish it, with DATABASE_URL in the environment: node /'],
  ] as const) {
    expect(await refusal(url)).toContain(says);
  }
});

test('a PostgreSQL with a certificate of its own is refused with the parameters with which it is accepted', async () => {
  await using own = await startTestPostgres({ isOwn: true });
  const url = new URL(await own.createDatabase());
  const certificate = await enableTls(url.href);
  url.search = '?sslmode=require';
  expect(await refusal(url.href)).toMatch(
    /^PostgreSQL: DEPTH_ZERO_SELF_SIGNED_CERT\. .* Add sslmode=verify-full&sslrootcert=<path of /,
  );
  url.search = `?sslmode=verify-full&sslrootcert=${certificate}`;
  expect(await refusal(url.href)).toContain('The database has no tables of this service');
  url.search = '?sslmode=verify-full&sslrootcert=/no/such/file';
  expect(await refusal(url.href)).toMatch(/^PostgreSQL: ENOENT\. There is no such file or folder\. Check the path\.$/);
});

/** Makes a server accept TLS with a self-signed certificate. @returns the path of the certificate */
async function enableTls(url: string): Promise<string> {
  const [key, certificate] = [folder.file('server.key'), folder.file('server.crt')];
  await promisify(execFile)('openssl', [
    ...['req', '-x509', '-nodes', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-days', '2'],
    ...['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', key, '-out', certificate],
  ]);
  // In the folder of the server, which may run as another user.
  for (const path of [key, certificate]) {
    const lines = `string_to_table('${readFileSync(path, 'utf8').trim()}', E'\\n')`;
    await queryPostgres(url, `COPY (SELECT ${lines}) TO PROGRAM 'umask 077 && cat > ${basename(path)}'`);
  }
  await queryPostgres(url, 'ALTER SYSTEM SET ssl = on');
  await queryPostgres(url, 'SELECT pg_reload_conf()');
  await waitUntil(async () => (await queryPostgres<{ ssl: string }>(url, 'SHOW ssl'))[0]?.ssl === 'on');
  return certificate;
}

test('a SQLite file that cannot be used is named by its absolute path, with a remedy', async () => {
  const foreign = file('foreign.db', (path) => {
    const db = new Database(path);
    db.exec('CREATE TABLE reminders (id INTEGER)');
    db.close();
  });
  const lost = file('lost.db', () => {});
  await openTestSqlite(folder.file('served.db')).close();
  copyFileSync(folder.file('served.db-id'), folder.file('lost.db-id'));
  for (const [url, says] of [
    [file('no.db', (path) => writeFileSync(path, 'no database'.repeat(100))), 'The file is not a SQLite database'],
    [file('folder.db', mkdirSync), 'found a folder. Check the path'],
    [foreign, 'found one with the tables reminders. Check the path'],
    [lost, 'start once with --new'],
  ] as const) {
    const output = await refusal(`file:${relative('', url.slice('file:'.length))}`);
    expect(output).toContain(says);
    expect(output).toContain(folder.path);
  }
});

test('a folder that no process can make is an error, and not an endless attempt', async () => {
  expect(await refusal('file:/proc/no-such-folder/settings.db')).toMatch(
    /^The database \/proc\/no-such-folder\/settings\.db cannot be opened: ENOENT: .* Check the path\.$/,
  );
});

test('a host that the machine does not have is refused with the variable to set', async () => {
  // From the address range for documentation (RFC 5737), and from the domain of nonexistent names (RFC 2606).
  for (const HOST of ['192.0.2.1', 'no-such-host.invalid']) {
    const output = await refusal(`file:${folder.file('host.db')}`, { HOST });
    expect(output).toContain(HOST);
    expect(output).toMatch(/\. Set HOST to .* IP address of this machine\.$/);
  }
});

test('a ledger of erasures that is lost is named, with a remedy', async () => {
  const url = `file:${folder.file('lost-ledger.db')}`;
  await using api = await startApi({ DATABASE_URL: url });
  await api.app.close();
  writeFileSync(folder.file('lost-ledger.db-erasures'), '');
  expect(await refusal(url)).toMatch(
    /^Expected the ledger of erasures, found an empty file at .*lost-ledger\.db-erasures\. Restore .* start once with --new /,
  );
});

test('a ledger of erasures that cannot be written is named, with a remedy', async () => {
  writeFileSync(folder.file('a-file'), '');
  const ledger = folder.file('a-file/ledger');
  const output = await refusal(`file:${folder.file('with-ledger.db')}`, { ERASURE_LEDGER: ledger });
  expect(output).toMatch(/^The ledger of erasures .*a-file\/ledger cannot be written: .*\. Choose another path\.$/);
});
