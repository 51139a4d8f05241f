import { runProgram, stopSignal } from '@guild-settings/runtime/command-line';
import { explainTransferFailure } from '../explain-failure.ts';
import { canAsk } from '../terminal.ts';
import { commandOf, EXIT_REJECTED, PROGRAM } from './options.ts';

/** Time limit of a call in flight after a signal to stop. */
const STOP_TIMEOUT_MS = 9_000;

await runProgram(
  PROGRAM,
  async (options) => {
    const command = commandOf(options, canAsk());
    const stop = stopSignal({ timeoutMs: STOP_TIMEOUT_MS });
    const { importFile } = await import('./import-file.ts');
    const { output, result } = await importFile(command, stop);
    console.log(output);
    if (result.outcome === 'declined') process.exitCode = 1;
    else if (result.rejected.rows + result.rejected.values > 0) process.exitCode = EXIT_REJECTED;
  },
  explainTransferFailure,
);
