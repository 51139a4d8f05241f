import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { judge, type Measurement, type Row } from './bench.ts';

import { reportOf, withResults } from './report.ts';
import { ROWS } from './rows.ts';

const MACHINE = { description: 'Node v20 on a processor, 2 cores', commit: '7af496ef93' };
const MARKS = '<!-- measured: begin (written by bench --docs) -->\n\n<!-- measured: end -->';

const GET = rowOf({ id: 'rest-get', figure: 'Reads', goal: { is: 'at least', ratio: 1.2 } });
const READ = rowOf({ id: 'replica-read', unit: 'ns', goal: { is: 'at most', ratio: 3 }, also: '>= 100 x the others' });

const FAST = judge(GET, {
  ours: 12_345.6,
  peers: { plain: 6_172.8 },
  ratio: 2,
  spread: { from: 1.876, to: 2.1 },
  cpu: { ours: 23.4, peers: { plain: 46.8 } },
  notes: ['1,000 guilds'],
});
const SLOW = judge(READ, {
  ours: 30,
  peers: { 'Map.get': 20, enmap: 2_000 },
  also: { found: '67 x', isMet: false },
});

test('a result has its goal, and the additional condition with its values', () => {
  expect(FAST).toMatchObject({ goal: '>= 1.2', ratio: 2, isMet: true });
  expect(SLOW).toMatchObject({ goal: '<= 3; >= 100 x the others (67 x)', ratio: 1.5, isMet: false });
  expect(judge(GET, { ours: 1, peers: {} })).toMatchObject({ ratio: 1, isMet: false });
});

test('the report is a table and notes', () => {
  expect(reportOf([FAST, SLOW])).toBe(
    `
| row            |   ours |                       peers | unit       | ratio |   spread | CPU µs / peer | goal                             | met    |
| -------------- | -----: | --------------------------: | ---------- | ----: | -------: | ------------: | -------------------------------- | ------ |
| \`rest-get\`     | 12,346 |               6,173 (plain) | requests/s |     2 | 1.88–2.1 |   23.4 / 46.8 | >= 1.2                           | yes    |
| \`replica-read\` |     30 | 20 (Map.get), 2,000 (enmap) | ns         |   1.5 |          |               | <= 3; >= 100 x the others (67 x) | **no** |

rest-get: 1,000 guilds`.trimStart(),
  );
});

test('a page has the figures and the results of all rows, also of those that an earlier run has measured', () => {
  const rows = [GET, READ, rowOf({ id: 'resync' })];
  const first = withResults(`before\n\n${MARKS}\n\nafter $& $1\n`, rows, [FAST], MACHINE);
  const second = withResults(first, rows, [SLOW], { ...MACHINE, commit: '81867b29ac' });
  expect(second).toMatch(/^before\n\n<!-- measured: begin .*\n\n- Reads: \*\*12,346 requests\/s\*\*\n\n\| row /);
  expect(second).toMatch(
    /\| `rest-get` +\| 12,346 \| .* at 7af496ef93 \|\n\| `replica-read` +\| +30 \|.* at 81867b29ac \|/,
  );
  expect(second).toMatch(/\n\| `resync` +\| +- \|/);
  expect(second).toMatch(/Node v20 on a processor, 2 cores\.\n\n<!-- measured: end -->\n\nafter \$& \$1\n$/);
  expect(withResults(second, [READ], [], MACHINE)).not.toContain('rest-get');
});

test.each(['', '<!-- measured: end -->', MARKS + MARKS])('a page with the marks %j is refused', (page) => {
  expect(() => withResults(page, [GET], [], MACHINE)).toThrow('measured: begin');
});

test('docs/performance.md explains every row', async () => {
  const page = await readFile(fileURLToPath(new URL('../../../docs/performance.md', import.meta.url)), 'utf8');
  const explained = page.slice(page.indexOf('## The rows'));
  expect(ROWS.map(({ id }) => id).filter((id) => !explained.includes(`\`${id}\``))).toEqual([]);
});

function rowOf(row: Partial<Row>): Row {
  const measure = async (): Promise<Measurement> => ({ ours: 1, peers: {} });
  return { id: 'a-row', unit: 'requests/s', goal: { is: 'at least', ratio: 1.2 }, measure, ...row };
}
