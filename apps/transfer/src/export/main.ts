import { runProgram, stopSignal } from '@guild-settings/runtime/command-line';
import { explainTransferFailure } from '../explain-failure.ts';
import { commandOf, PROGRAM } from './options.ts';

await runProgram(
  PROGRAM,
  async (options) => {
    const command = commandOf(options);
    const stop = stopSignal({ timeoutMs: 9_000 });
    const { exportAll } = await import('./export-all.ts');
    const output = await exportAll(command, stop);
    if (command.to !== undefined) console.log(output);
  },
  explainTransferFailure,
);
