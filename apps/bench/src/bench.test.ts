import { access } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { bench } from './bench.ts';
import { PROFILES } from './context.ts';
import type { Row } from './row.ts';

const profile = PROFILES.smoke;

test('a row that cannot be measured is told of, and the others are measured', async () => {
  const failures: string[] = [];
  const rows = [row('broken', () => Promise.reject(new Error('no server'))), row('good', async () => 2)];
  const results = await bench({ rows, profile, onFailure: ({ id }, error) => failures.push(`${id}: ${error}`) });
  expect(results.map(({ id, ratio, isMet }) => ({ id, ratio, isMet }))).toEqual([
    { id: 'good', ratio: 2, isMet: true },
  ]);
  expect(failures).toEqual(['broken: Error: no server']);
  await expect(bench({ rows, profile })).rejects.toThrow('no server');
});

test('an interruption ends the run when files are gone, whatever the row makes of it', async () => {
  const interrupted = new AbortController();
  let folder = '';
  const waits = row('waits', async (context) => {
    folder = context.folder;
    const stopped = new Promise<void>((resolve) => {
      context.resources.use({ [Symbol.asyncDispose]: async () => resolve() });
    });
    interrupted.abort(new Error('enough'));
    await stopped;
    throw new Error('the server is gone');
  });
  const failures: unknown[] = [];
  const rows = [waits, row('never', async () => 1)];
  const run = bench({ rows, profile, signal: interrupted.signal, onFailure: (_, error) => failures.push(error) });
  await expect(run).rejects.toThrow('enough');
  expect(failures).toEqual([]);
  await expect(access(folder)).rejects.toThrow('ENOENT');
});

function row(id: string, ours: (context: Parameters<Row['measure']>[0]) => Promise<number>): Row {
  return {
    id,
    unit: 'requests/s',
    goal: { is: 'at least', ratio: 1 },
    measure: async (context) => ({ ours: await ours(context), peers: { other: 1 } }),
  };
}
