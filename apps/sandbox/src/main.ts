import { explainFailure, runProgram } from '@guild-settings/runtime/command-line';
import { START } from './command-line.ts';

const EXPECTED = ['EnvironmentError', 'FileInUseError', 'LoginRefusedError', 'PortTakenError', 'StoreUnavailableError'];

await runProgram(
  START,
  async ({ json, new: isNewDatabaseAllowed }) => {
    // Loading the api and the bot takes a second or more, which --help does not need.
    const { runUntilStopped } = await import('./run-until-stopped.ts');
    await runUntilStopped({ isNewDatabaseAllowed, json });
  },
  (error) =>
    error instanceof Error && EXPECTED.includes(error.name)
      ? { output: error.message, exitCode: 1 }
      : explainFailure(error),
);
