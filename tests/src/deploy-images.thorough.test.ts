import { execFile } from 'node:child_process';
import { lstatSync, mkdirSync, readdirSync, readFileSync, realpathSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type TemporaryFolder, temporaryFolder } from '@guild-settings/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FreshClone, freshClone } from './testing/fresh-clone.ts';
import { PROGRAMS, type ProgramName, startPrograms } from './testing/running-programs.ts';
import { runShellCommand } from './testing/shell-command.ts';

const run = promisify(execFile);
const CONTAINERFILE = readFileSync(new URL('../../deploy/Containerfile', import.meta.url), 'utf8').replaceAll(
  '\\\n',
  '',
);

/** Maximum megabytes of an image in addition to its base. */
const MAX_MEGABYTES = 120;

let clone: FreshClone;
let folder: TemporaryFolder;
beforeAll(async () => {
  clone = await freshClone();
  folder = temporaryFolder();
  const [, command = ''] = /^RUN (deploy\/build\.sh .*)$/m.exec(CONTAINERFILE) ?? [];
  const built = await runShellCommand(command.replace('/srv', folder.path), { cwd: clone.path });
  expect(built, built.stderr).toMatchObject({ code: 0 });
});
afterAll(() => {
  folder?.[Symbol.dispose]();
  clone?.[Symbol.dispose]();
});

const folderOf = (program: ProgramName) => folder.file(`guild-settings/${program}`);

/** Returns the instructions of a target of the Containerfile. */
function target(program: ProgramName): string {
  const [, instructions = ''] = CONTAINERFILE.split(`FROM program AS ${program}\n`);
  return instructions.split('\nFROM ')[0] ?? '';
}

test.each(PROGRAMS)(
  'the folder of the %s has no compiler, no types of others and no sources, and is small',
  (program) => {
    // By their own paths, because Node also lists the folders behind links.
    const names = readdirSync(folderOf(program), { recursive: true, encoding: 'utf8' });
    const paths = [...new Set(names.map((name) => realpathSync(join(folderOf(program), name))))];
    const unwanted = paths.filter((path) =>
      /\/(?:typescript|@types|drizzle-kit|vitest|esbuild)\/|^(?!.*node_modules).*\.ts$|\.[ch]$/.test(path),
    );
    expect(unwanted).toStrictEqual([]);
    // SQLite, for two processors and two C libraries.
    expect(paths.filter((path) => path.endsWith('.node'))).toHaveLength(4);
    const files = paths.map((path) => lstatSync(path)).filter((entry) => entry.isFile());
    const bytes = files.reduce((sum, { size }) => sum + size, 0);
    expect(bytes / 1_000_000).toBeLessThan(MAX_MEGABYTES);
  },
);

test('the programs start in their folders, the api with the page, and their health checks succeed', async () => {
  await using programs = await startPrograms((program) => join(folderOf(program), 'dist/main.js'));
  const page = await fetch(programs.urls.api, { headers: { accept: 'text/html' } });
  expect(await page.text()).toContain('<div id="root">');
  for (const program of PROGRAMS) {
    const [, check = '[]'] = /HEALTHCHECK .*CMD (\[.*\])/.exec(target(program)) ?? [];
    const [node = '', ...args] = JSON.parse(check.replace(/http:\/\/127\.0\.0\.1:\d+/, programs.urls[program]));
    await run(node, args);
    expect(target(program)).toContain(`COPY --from=build /srv/guild-settings/${program} /srv/guild-settings\n`);
  }
  for (const program of PROGRAMS) {
    programs.processes[program].signal('SIGTERM');
    expect(await programs.processes[program].exited).toStrictEqual({ code: 0, signal: null });
  }
});

test('backup.sh copies a file in use and its ledger, and deletes copies of more than 14 days', async () => {
  const data = folder.file('data');
  await using programs = await startPrograms(undefined, { api: { DATABASE_URL: `file:${data}/api.db` } });
  const backups = folder.file('backups');
  mkdirSync(backups);
  for (const [name, days] of [
    ['api-old.db', 15],
    ['api-newer.db', 13],
  ] as const) {
    writeFileSync(join(backups, name), '');
    const then = Date.now() / 1_000 - days * 86_400;
    utimesSync(join(backups, name), then, then);
  }
  await run('sh', [join(folderOf('api'), 'backup.sh'), `${data}/api.db`, backups]);
  const names = readdirSync(backups).toSorted();
  expect(names).toEqual([expect.stringMatching(/^api-\d{4}-.*Z\.db$/), 'api-newer.db', 'erasures']);
  expect(programs.processes.api.isRunning()).toBe(true);
});
