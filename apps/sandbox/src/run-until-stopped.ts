import { stopSignal } from '@guild-settings/runtime/command-line';
import { readSandboxConfig } from './config.ts';
import { jsonReport } from './report/json-report.ts';
import { textReport } from './report/text-report.ts';
import { startSandbox } from './start-sandbox.ts';

interface RunOptions {
  readonly isNewDatabaseAllowed: boolean;
  readonly json: boolean;
}

/** Starts the sandbox, prints what to try, and closes it when the process is told to stop. */
export async function runUntilStopped({ isNewDatabaseAllowed, json }: RunOptions): Promise<void> {
  const sandbox = await startSandbox(readSandboxConfig(), { isNewDatabaseAllowed });
  stopSignal().addEventListener('abort', async () => {
    try {
      await sandbox.close();
      process.exitCode = 0;
    } catch (error) {
      console.error(error);
      process.exitCode = 1;
    }
  });
  console.log(json ? jsonReport(sandbox) : textReport(sandbox));
}
