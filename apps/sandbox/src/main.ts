import { StoreUnavailableError } from '@guild-settings/api';
import { FileInUseError } from '@guild-settings/bot';
import { EnvironmentError } from '@guild-settings/environment';
import { HELP, readCommandLine, UsageError } from './command-line.ts';
import { readSandboxConfig } from './config.ts';
import { PortTakenError } from './free-ports.ts';
import { jsonReport } from './report/json-report.ts';
import { textReport } from './report/text-report.ts';
import { type Sandbox, startSandbox } from './start-sandbox.ts';

try {
  const { help, json, new: isNewDatabaseAllowed } = readCommandLine(process.argv.slice(2));
  if (help) console.log(HELP);
  else await run(json, isNewDatabaseAllowed);
} catch (error) {
  const expected = [EnvironmentError, FileInUseError, PortTakenError, StoreUnavailableError, UsageError];
  const isExpected = error instanceof Error && expected.some((kind) => error instanceof kind);
  console.error(isExpected ? error.message : error);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}

async function run(json: boolean, isNewDatabaseAllowed: boolean): Promise<void> {
  const sandbox = await startSandbox(readSandboxConfig(), { isNewDatabaseAllowed });
  closeOnSignal(sandbox);
  console.log(json ? jsonReport(sandbox) : textReport(sandbox));
}

/** Handles every signal alike: a package manager may pass one on that the terminal has sent already. */
function closeOnSignal(sandbox: Sandbox): void {
  const close = async () => {
    try {
      await sandbox.close();
      process.exitCode = 0;
    } catch (error) {
      console.error(error);
      process.exitCode = 1;
    }
  };
  process.on('SIGINT', close).on('SIGTERM', close);
}
