import { explainFailure, runProgram, StoppedBySignal, stopSignal } from '@guild-settings/runtime/command-line';
import { countOf } from './checker/check.ts';
import { PROGRAM } from './options.ts';
import { textReport, torture } from './run.ts';

await runProgram(
  PROGRAM,
  async ({ store, rounds, seed = Date.now() % 2 ** 31, api: apiMain, json }) => {
    console.error(`torturing ${store} with seed ${seed}`);
    const onProgress = (line: string) => console.error(line);
    const report = await torture({ store, rounds, seed, apiMain, signal: stopSignal(), onProgress });
    console.log(json ? JSON.stringify(report) : textReport(report));
    if (countOf(report.anomalies) > 0) process.exitCode = 1;
  },
  (error) => {
    if (!(error instanceof StoppedBySignal)) return explainFailure(error);
    return { output: 'Interrupted; all processes were stopped and all files deleted.', exitCode: 2 };
  },
);
