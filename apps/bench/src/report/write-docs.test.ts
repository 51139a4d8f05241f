import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { keepRun } from '../history/history.ts';
import type { Run } from '../history/run.ts';
import { ROWS } from '../rows/all-rows.ts';
import { withMeasured } from './measured-section.ts';
import { writeDocs } from './write-docs.ts';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const PAGE = join(ROOT, 'docs/performance.md');

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'guild-settings-docs-'));
});
afterEach(() => rm(folder, { recursive: true }));

test('the last full result of each row comes into the page, and the plot beside it', async () => {
  await copyFile(PAGE, join(folder, 'performance.md'));
  await keepRun(RUN, folder);
  await keepRun({ ...RUN, date: '2026-11-03T10:00:00.000Z', results: [{ ...RUN.results[0], ratio: 1.5 }] }, folder);
  await keepRun({ ...RUN, profile: 'quick', results: [{ ...RUN.results[0], ratio: 7 }] }, folder);
  const said = await writeDocs({ rows: ROWS, docs: folder, history: folder });
  const page = await readFile(join(folder, 'performance.md'), 'utf8');
  expect(page).toMatch(/\| `rest-get` .*\| +1\.5 \| 1\.4–1\.6 \| +23 \/ 46 \| >= 1 +\| yes/);
  expect(page).toMatch(/\| `rest-patch` .*\| +2 \| +\| +\| >= 3 +\| \*\*no\*\*/);
  expect(page.indexOf('| `rest-patch`'), 'losses are first').toBeLessThan(page.indexOf('| `rest-get`'));
  expect(page).toContain(
    '- Measured 2026-11-03 with Node v20.20.0 on A processor, 2 cores, at 7af496ef93: `rest-get`.',
  );
  expect(await readFile(join(folder, 'performance.svg'), 'utf8')).toContain('rest-patch: milliseconds against guilds');
  expect(page).toContain('![Cost against size](performance.svg)');
  expect(said).toContain('rest-304 has not been measured in full yet');
  expect(await formatted(page)).toBe(page);
});

test('a second time changes nothing', () => {
  const page = `before\n\n${MARKS}\n\nafter $& $1\n`;
  const results = RUN.results.map((result) => ({ run: RUN, result }));
  const once = withMeasured(page, results);
  expect(once).not.toBe(page);
  expect(once.endsWith('\n\nafter $& $1\n')).toBe(true);
  expect(withMeasured(once, results)).toBe(once);
  expect(withMeasured(once, [])).toContain('Nothing has been measured in full yet.');
});

test.each(['', '<!-- measured: end -->', `MARKS MARKS`, 'END BEGIN'])(
  'a page with the marks %j is refused',
  (marks) => {
    const [begin = '', end = ''] = MARKS.split('\n\n');
    const page = marks.replaceAll('MARKS', MARKS).replace('BEGIN', begin).replace('END', end);
    expect(() => withMeasured(page, [])).toThrow('measured: begin');
  },
);

test('the page explains every row, by its id or the beginning of it', async () => {
  const page = await readFile(PAGE, 'utf8');
  const explained = [...page.slice(page.indexOf('## What is measured')).matchAll(/`(?<name>[\w-]+)`/g)].map(
    ({ groups }) => `${groups?.name}-`,
  );
  expect(ROWS.map(({ id }) => id).filter((id) => !explained.some((name) => `${id}-`.startsWith(name)))).toEqual([]);
});

const MARKS = '<!-- measured: begin (written by bench --docs) -->\n\n<!-- measured: end -->';

const RUN = {
  date: '2026-11-02T10:00:00.000Z',
  node: 'v20.20.0',
  cpu: 'A processor',
  cores: 2,
  commit: '7af496ef93',
  profile: 'full',
  results: [
    {
      id: 'rest-get',
      unit: 'requests/s',
      ours: 12_000.4,
      peers: { 'plain-sqlite': 10_000 },
      ratio: 1.2,
      spread: { from: 1.4, to: 1.6 },
      cpu: { ours: 23, peers: { 'plain-sqlite': 46 } },
      target: '>= 1',
      met: true,
    },
    {
      id: 'rest-patch',
      unit: 'requests/s',
      ours: 2_000,
      peers: { 'plain-sqlite': 1_000, other: 900 },
      ratio: 2,
      target: '>= 3',
      met: false,
      curve: [{ name: 'ours', size: 1_000, value: 10 }],
      axes: { size: 'guilds', value: 'milliseconds' },
      notes: ['64 connections, p99 <= 60 ms'],
    },
  ],
} as const satisfies Run;

/** What the project's formatter makes of a page. */
async function formatted(page: string): Promise<string> {
  const biome = promisify(execFile)('npx', ['biome', 'format', '--stdin-file-path=docs/performance.md'], { cwd: ROOT });
  biome.child.stdin?.end(page);
  return (await biome).stdout;
}
