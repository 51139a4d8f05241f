import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startTestPostgres, type TemporaryFolder, type TestPostgres, temporaryFolder } from '@guild-settings/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FreshClone, freshClone } from './testing/fresh-clone.ts';
import { runShellCommand, type ShellCommand, startShellCommand, stillRunning } from './testing/shell-command.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const README = readFileSync(join(ROOT, 'README.md'), 'utf8');
const OPERATIONS = readFileSync(join(ROOT, 'docs/operations.md'), 'utf8');

/** With COMPILE_SQLITE=1 the installation compiles SQLite, which takes minutes, instead of reusing what was compiled. */
const INSTALLATION = process.env.COMPILE_SQLITE === '1' ? { PNPM_CONFIG_SIDE_EFFECTS_CACHE: 'false' } : {};

/** Ports that are free. */
const ANY_PORTS = { PORT: '0', SIM_PORT: '0', HEALTH_PORT: '0', DASHBOARD_PORT: '0' };

/** Returns the commands of a page's console blocks, in its order. A comment at the end of a line is left out. */
function commandsOf(page: string): string[] {
  const blocks = [...page.matchAll(/```bash\n([\s\S]*?)```/g)].map(([, block = '']) => block);
  return blocks.flatMap((block) => block.split('\n')).map((line) => line.replace(/\s+#.*$/, '').trim());
}

/** Returns the one command of a page that matches. */
function commandOf(page: string, pattern: RegExp): string {
  const found = [...new Set(commandsOf(page).filter((line) => pattern.test(line)))];
  expect(found, String(pattern)).toHaveLength(1);
  return found[0] ?? '';
}

let clone: FreshClone;
let postgres: TestPostgres;
beforeAll(async () => {
  [clone, postgres] = await Promise.all([freshClone(), startTestPostgres()]);
}, 400_000);
afterAll(async () => {
  await postgres?.[Symbol.asyncDispose]();
  clone?.[Symbol.dispose]();
});

const inClone = (line: string, env: NodeJS.ProcessEnv = {}) => runShellCommand(line, { cwd: clone.path, env });

/** Starts the sandbox by the command of the README. */
function start(): ShellCommand {
  const env = { ...ANY_PORTS, ...INSTALLATION };
  return startShellCommand(commandOf(README, /pnpm@12 start$/), { cwd: clone.path, env });
}

const reportOf = async (sandbox: ShellCommand) =>
  (await sandbox.printed(/The guild-settings sandbox is running[\s\S]*Stop with Ctrl-C\./))[0];

/** Runs the requests of the README against a running sandbox and returns their statuses. */
async function requestsOfReadme(report: string): Promise<string[]> {
  const [, apiUrl = ''] = /^ {2}api +(\S+)$/m.exec(report) ?? [];
  const statuses: string[] = [];
  for (const [, request = ''] of README.matchAll(/```console\n\$ (curl -s .*)$/gm)) {
    const { stdout } = await inClone(
      `${request.replace('http://127.0.0.1:3000', apiUrl)} --output /dev/null --write-out '%{http_code}'`,
    );
    statuses.push(stdout);
  }
  return statuses;
}

describe.sequential('in a fresh clone', () => {
  test('`start` installs, builds and starts without a line of its tools, and ends with npx on SIGTERM', async () => {
    await using command = start();
    const report = await reportOf(command);
    // Neither pnpm, turbo nor gyp prints anything.
    expect(command.output().replace(report, '').trim()).toMatch(/^(?:Building, which [^\n]*)?$/);
    expect(await requestsOfReadme(report)).toStrictEqual(['200']);
    const pids = await command.pids();
    expect(pids.length).toBeGreaterThan(3);
    process.kill(command.pid, 'SIGTERM');
    await command.ended;
    await expect.poll(() => stillRunning(pids)).toStrictEqual([]);
  }, 400_000);

  test('what `start` suggests works after the README has changed the prefix, and SIGINT of its group ends everything', async () => {
    await using command = start();
    const report = await reportOf(command);
    expect(report).toContain('opens as Mika in Discord Testers: send /help');
    const lines = [...report.matchAll(/^ {2}(curl .*)$/gm)].map(([, line = '']) => line);
    const answers: string[] = [];
    for (const line of lines) answers.push((await inClone(line)).stdout);
    expect(answers.map((answer) => answer.slice(0, 'HTTP/1.1 200'.length))).toStrictEqual([
      'HTTP/1.1 200',
      'HTTP/1.1 200',
      'HTTP/1.1 403',
    ]);
    expect(answers[0]).toContain('"prefix":"?"');
    const pids = await command.pids();
    process.kill(-command.pid, 'SIGINT');
    await command.ended;
    await expect.poll(() => stillRunning(pids)).toStrictEqual([]);
  }, 400_000);

  test('the commands of docs/operations.md start relative paths where the person is', async () => {
    const url = await postgres.createDatabase();
    expect(await inClone(`node apps/api/dist/migrate.js --to '${url}'`)).toMatchObject({ code: 0 });
    const backup = await inClone(commandOf(OPERATIONS, /pnpm@12.*api backup/));
    expect(backup).toMatchObject({ code: 0, stdout: expect.stringContaining(join(clone.path, 'backups/today.db')) });
    expect(existsSync(join(clone.path, 'backups/today.db'))).toBe(true);
    const cleaned = await inClone(commandOf(OPERATIONS, /pnpm@12.*api .*clean --database/));
    expect(cleaned).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Rewrote /m) });
    const copied = await inClone(onDatabase(commandOf(OPERATIONS, /pnpm@12.*api copy/), url));
    expect(copied).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/Copied \d+ guilds .* every row was compared/),
    });
  }, 400_000);

  describe.sequential('deployed to a folder outside of the clone', () => {
    let folder: TemporaryFolder;
    beforeAll(() => {
      folder = temporaryFolder();
    });
    afterAll(() => folder[Symbol.dispose]());

    /** Runs a command of the page in the deployed folder, which the page calls /srv/guild-settings. */
    const inFolder = (line: string, env: NodeJS.ProcessEnv = {}) =>
      runShellCommand(line, { cwd: folder.file('deployed'), env });

    test('has no development dependency, and was not built again', async () => {
      const line = commandOf(OPERATIONS, /api deploy --prod/).replace('/srv/guild-settings', folder.file('deployed'));
      const deployed = await inClone(line);
      expect(deployed, deployed.stderr).toMatchObject({ code: 0 });
      expect(deployed.stdout + deployed.stderr).not.toMatch(/\btsc\b|gyp/);
      for (const name of ['typescript', 'vitest', 'drizzle-kit']) {
        expect(existsSync(folder.file(`deployed/node_modules/${name}`)), name).toBe(false);
      }
      expect(megabytesOf(folder.file('deployed'))).toBeLessThan(60);
      for (const name of ['src/main.ts', 'test']) expect(existsSync(folder.file(`deployed/${name}`)), name).toBe(false);
    }, 400_000);

    test('serves, backs up, migrates, copies, and serves from PostgreSQL', async () => {
      const line = commandOf(OPERATIONS, /--enable-source-maps dist\/main\.js/);
      const serve = async (env: NodeJS.ProcessEnv) => {
        const cwd = folder.file('deployed');
        await using api = startShellCommand(line, { cwd, env: { PORT: '0', ...env } });
        const [, address] = await api.printed(/listening at (http:\/\/[^"]+)"/);
        const { checks } = JSON.parse(await (await fetch(`${address}/readyz`)).text());
        process.kill(api.pid, 'SIGTERM');
        return { code: (await api.ended).code, checks };
      };
      const isServing = { code: 0, checks: { storeReadable: 'ok' } };
      expect(await serve({})).toMatchObject(isServing);
      const backup = await inFolder(commandOf(OPERATIONS, /^node dist\/backup/));
      expect(backup).toMatchObject({
        code: 0,
        stdout: expect.stringContaining(folder.file('deployed/backups/today.db')),
      });

      const url = await postgres.createDatabase();
      const refused = await inFolder(line, { PORT: '0', DATABASE_URL: url });
      expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('no tables of this service') });
      const [, remedy = ''] = /Migrate it: (.*)$/m.exec(refused.stderr) ?? [];
      expect(await inFolder(remedy.replace('<its URL>', `'${url}'`))).toMatchObject({ code: 0 });
      const migrated = await inFolder(onDatabase(commandOf(OPERATIONS, /^DATABASE_URL.*node dist\/migrate/), url));
      expect(migrated).toMatchObject({ code: 0, stdout: 'The database is up to date.\n' });
      const copied = await inFolder(onDatabase(commandOf(OPERATIONS, /^node dist\/copy/), url));
      expect(copied).toMatchObject({ code: 0, stdout: expect.stringContaining('every row was compared') });
      expect(await serve({ DATABASE_URL: url })).toMatchObject(isServing);
    }, 400_000);
  });
});

/** Replaces the database of the pages. */
function onDatabase(line: string, url: string): string {
  return line.replace('postgres://guilds:secret@127.0.0.1/guilds', url);
}

/** Returns the size of the files in a folder. */
function megabytesOf(folder: string): number {
  // With the types of entries: without them, the folders behind links are read again and again.
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.reduce((bytes, { parentPath, name }) => bytes + lstatSync(join(parentPath, name)).size, 0) / 1_000_000;
}
