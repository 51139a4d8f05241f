import { StoreUnavailableError } from '@guild-settings/api';
import { FileInUseError } from '@guild-settings/bot';
import { explainFailure, runProgram, stopSignal } from '@guild-settings/command-line';
import { EnvironmentError } from '@guild-settings/environment';
import { START } from './command-line.ts';
import { readSandboxConfig } from './config.ts';
import { PortTakenError } from './free-ports.ts';
import { jsonReport } from './report/json-report.ts';
import { textReport } from './report/text-report.ts';
import { startSandbox } from './start-sandbox.ts';

/** Errors whose message is all that the caller needs. */
const EXPECTED = [EnvironmentError, FileInUseError, PortTakenError, StoreUnavailableError];

await runProgram(
  START,
  async ({ json, new: isNewDatabaseAllowed }) => {
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
  },
  (error) => {
    const isExpected = error instanceof Error && EXPECTED.some((kind) => error instanceof kind);
    return isExpected ? { output: error.message, exitCode: 1 } : explainFailure(error);
  },
);
