import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import {
  choice,
  explainFailure,
  flag,
  repeatable,
  runProgram,
  StoppedBySignal,
  stopSignal,
  UsageError,
  type Values,
} from '@guild-settings/runtime/command-line';
import { bench, PROFILES } from './bench.ts';
import { reportOf, thisMachine, withResults } from './report.ts';
import { ROWS } from './rows.ts';

const PAGE = fileURLToPath(new URL('../../../docs/performance.md', import.meta.url));

const idsOf = (isOnRequest: boolean) =>
  ROWS.filter((row) => (row.isOnRequest ?? false) === isOnRequest)
    .map(({ id }) => id)
    .join(', ');

const OPTIONS = {
  quick: flag('smaller sizes and shorter loads: some minutes, and less exact'),
  only: repeatable({ ...choice(...ROWS.map(({ id }) => id)), placeholder: 'ID' }, 'this row alone; may be repeated'),
  json: flag('print the results as JSON'),
  docs: flag('write the results into docs/performance.md as well; rows that were not measured stay as they are'),
};

const PROGRAM = {
  summary: `Measures the service beside alternatives, and compares the results with its goals: docs/performance.md.

It exits 0 when every row met its goal, 1 when one did not or could not be measured, 2 for wrong arguments, and 130 or 143
when it was interrupted.`,
  usage: ['npx --yes pnpm@12 bench [--quick] [--only ID] [--json] [--docs] [--help]'],
  options: OPTIONS,
  notes: `Rows: ${idsOf(false)}; and by name alone ${idsOf(true)}.

BENCH_API=/path/of/another/clone/apps/api/dist/main.js measures the api of another clone.`,
};

await runProgram(
  PROGRAM,
  async (options) => {
    process.exitCode = (await measure(options)) ? 0 : 1;
  },
  (error) => {
    if (!(error instanceof StoppedBySignal)) return explainFailure(error);
    console.error(`${error.message}; servers and files are gone.`);
    process.exit(error.exitCode);
  },
);

async function measure({ quick, only, json, docs }: Values<typeof OPTIONS>): Promise<boolean> {
  if (quick && docs) throw new UsageError('Expected --docs without --quick: the page shows full runs.');
  const progress = (line: string) => console.error(line);
  const signal = stopSignal({ second: 'end' });
  signal.addEventListener('abort', () => progress('stopping servers; a second signal ends at once'));
  const machine = thisMachine();
  progress(`${quick ? 'quick' : 'full'} run, ${machine.description}, at ${machine.commit}`);
  const failed: string[] = [];
  const results = await bench({
    rows: ROWS.filter(({ id, isOnRequest }) => (only.length === 0 ? !isOnRequest : only.includes(id))),
    profile: PROFILES[quick ? 'quick' : 'full'],
    signal,
    onProgress: progress,
    onFailure: ({ id }, error) => {
      failed.push(id);
      console.error(`${id} could not be measured:`, error);
    },
  });
  console.log(json ? JSON.stringify(results, null, 2) : reportOf(results));
  if (docs) await writeFile(PAGE, withResults(await readFile(PAGE, 'utf8'), ROWS, results, machine));
  if (failed.length > 0) progress(`Could not be measured: ${failed.join(', ')}`);
  return failed.length === 0 && results.every(({ isMet }) => isMet);
}
