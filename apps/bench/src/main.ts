import { explainFailure, runProgram, StoppedBySignal, stopSignal } from '@guild-settings/command-line';
import { bench } from './bench.ts';
import { PROFILES } from './context.ts';
import { keepRun, readHistory } from './history/history.ts';
import { describeMachine, thisMachine } from './history/machine.ts';
import { kept } from './history/run.ts';
import { commandOf, type MeasureCommand, PROGRAM } from './options.ts';
import { comparison } from './report/comparison.ts';
import { requireWritable, writeOut } from './report/output-files.ts';
import { plot } from './report/plot.ts';
import { textReport } from './report/text-report.ts';
import { writeDocs } from './report/write-docs.ts';
import { ROWS } from './rows/all-rows.ts';

await runProgram(
  PROGRAM,
  async (options) => {
    const command = commandOf(options, ROWS);
    if (command.run === 'measure') process.exitCode = (await measure(command)) ? 0 : 1;
    else for (const line of await writeDocs({ rows: ROWS })) console.error(line);
  },
  (error) => {
    if (!(error instanceof StoppedBySignal)) return explainFailure(error);
    console.error(`${error.message}; servers and files are gone, and no result was kept.`);
    process.exit(error.exitCode);
  },
);

/** Returns whether every row met its goal. */
async function measure({ rows, profile, json, svg, compare }: MeasureCommand): Promise<boolean> {
  await requireWritable([json, svg]);
  const progress = (line: string) => console.error(line);
  const signal = stopSignal({ second: 'end' });
  signal.addEventListener('abort', () => progress('stopping servers; a second signal ends at once'));
  const machine = await thisMachine();
  const history = await readHistory(profile);
  for (const line of history.damage) progress(line);
  progress(`${profile} run, ${describeMachine(machine)}`);
  const failed: string[] = [];
  const date = new Date().toISOString();
  const results = await bench({
    rows,
    profile: PROFILES[profile],
    signal,
    onProgress: progress,
    onFailure: ({ id }, error) => {
      failed.push(id);
      console.error(`${id} could not be measured:`, error);
    },
  });
  const written = results.map(kept);
  if (results.length > 0) await keepRun({ date, ...machine, profile, results: written });
  if (json !== undefined) await writeOut(json, `${JSON.stringify(written, null, 2)}\n`);
  const report = [
    ...(results.length > 0 ? [textReport(results)] : []),
    ...(compare && results.length > 0 ? [comparison(results, history.runs)] : []),
    ...failed.map((id) => `✗ ${id} could not be measured`),
  ].join('\n\n');
  (json === '-' ? console.error : console.log)(report);
  if (svg !== undefined) {
    const drawing = plot(written);
    if (drawing === null) progress('no row measured cost against size, so nothing is drawn');
    else await writeOut(svg, drawing);
  }
  return failed.length === 0 && results.every(({ met }) => met);
}
