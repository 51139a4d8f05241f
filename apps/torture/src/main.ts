import { countOf } from './checker/anomalies.ts';
import { HELP, readOptions, type TortureCommand, UsageError } from './options.ts';
import { textReport } from './report.ts';
import { torture } from './run.ts';

try {
  const command = readOptions(process.argv.slice(2));
  if (command === null) console.log(HELP);
  else await run(command);
} catch (error) {
  console.error(error instanceof UsageError ? error.message : error);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}

async function run({ json, ...options }: TortureCommand): Promise<void> {
  const interrupted = new AbortController();
  const onSignal = () =>
    interrupted.abort(new UsageError('Interrupted; all processes were stopped and all files deleted.'));
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  console.error(`torturing ${options.store} with seed ${options.seed}`);
  const onProgress = (line: string) => console.error(line);
  const report = await torture({ ...options, signal: interrupted.signal, onProgress });
  console.log(json ? JSON.stringify(report) : textReport(report));
  if (countOf(report.anomalies) > 0) process.exitCode = 1;
}
