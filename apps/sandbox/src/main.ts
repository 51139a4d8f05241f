import { runProgram } from '@guild-settings/runtime/command-line';
import { explainStart, START } from './command-line.ts';

await runProgram(
  START,
  async ({ json, new: isNewDatabaseAllowed }) => {
    // Loading the api and the bot takes a second or more, which --help does not need.
    const { runUntilStopped } = await import('./run-until-stopped.ts');
    await runUntilStopped({ isNewDatabaseAllowed, report: json ? 'json' : 'text' });
  },
  explainStart,
);
