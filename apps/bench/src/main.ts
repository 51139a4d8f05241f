import {
  choice,
  explainFailure,
  flag,
  repeatable,
  runProgram,
  StoppedBySignal,
  stopSignal,
  type Values,
} from '@guild-settings/runtime/command-line';
import { bench, PROFILES, reportOf } from './bench.ts';
import { ROWS } from './rows.ts';

const onRequest = ROWS.filter((row) => row.isOnRequest).map(({ id }) => id);

const OPTIONS = {
  quick: flag('smaller sizes and shorter loads: some minutes, and less exact'),
  only: repeatable({ ...choice(...ROWS.map(({ id }) => id)), placeholder: 'ID' }, 'this row alone; may be repeated'),
};

const PROGRAM = {
  summary: `Measures the service beside alternatives, and compares the results with its goals: docs/performance.md.

It exits 0 when every row met its goal, 1 when one did not or could not be measured, 2 for wrong arguments, and 130 or 143
when it was interrupted.`,
  usage: ['npx --yes pnpm@12 bench [--quick] [--only ID] [--help]'],
  options: OPTIONS,
  notes: `Measured by name alone: ${onRequest.join(', ')}.

BENCH_API=/path/of/another/clone/apps/api/dist/main.js measures the api of another clone.`,
};

await runProgram(PROGRAM, measure, (error) => {
  if (!(error instanceof StoppedBySignal)) return explainFailure(error);
  console.error(`${error.message}; servers and files are gone.`);
  process.exit(error.exitCode);
});

async function measure({ quick, only }: Values<typeof OPTIONS>): Promise<void> {
  const progress = (line: string) => console.error(line);
  const signal = stopSignal({ second: 'end' });
  signal.addEventListener('abort', () => progress('stopping servers; a second signal ends at once'));
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
  console.log(reportOf(results));
  if (failed.length > 0) progress(`Could not be measured: ${failed.join(', ')}`);
  process.exitCode = failed.length === 0 && results.every(({ isMet }) => isMet) ? 0 : 1;
}
