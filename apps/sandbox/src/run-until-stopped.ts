import { stopSignal } from '@guild-settings/runtime/command-line';
import { readSandboxConfig } from './config.ts';
import { jsonReport } from './report/json-report.ts';
import { textReport } from './report/text-report.ts';
import { type SimulatorUrls, startSandbox } from './start-sandbox.ts';

export interface RunOptions {
  readonly isNewDatabaseAllowed: boolean;
  /** The form in which what to try is printed; null: nothing is printed. */
  readonly report: 'text' | 'json' | null;
  /** A simulated Discord that is running; one is started unless given. */
  readonly simulator?: SimulatorUrls | undefined;
  /** The URL of the api for clients: that on which it listens unless given. */
  readonly apiUrl?: string | undefined;
}

/** Starts the sandbox, prints what to try, and closes it when the process is told to stop. */
export async function runUntilStopped({ report, ...options }: RunOptions): Promise<void> {
  const sandbox = await startSandbox(readSandboxConfig(), options);
  stopSignal().addEventListener('abort', async () => {
    try {
      await sandbox.close();
      process.exitCode = 0;
    } catch (error) {
      console.error(error);
      process.exitCode = 1;
    }
  });
  if (report) console.log(report === 'json' ? jsonReport(sandbox) : textReport(sandbox));
}
