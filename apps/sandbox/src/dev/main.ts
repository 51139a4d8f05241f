import { flag, runProgram } from '@guild-settings/runtime/command-line';
import { explainStart, START } from '../command-line.ts';

const DEV = {
  summary: `Starts the guild-settings service like \`start\`, and again at each save.

The api and the bot start again when one of their files changes, and browsers load changed parts of the page.
A file with an error leaves them as they are. The simulated Discord runs on, so people stay logged in; for changes of
packages/discord-sim stop and start this.`,
  usage: ['npx --yes pnpm@12 dev [--inspect] [--json] [--new] [--help]'],
  options: {
    inspect: flag('let a debugger attach to the services at 127.0.0.1:9229'),
    ...START.options,
  },
  notes: START.notes,
};

await runProgram(
  DEV,
  async (values) => {
    const { develop } = await import('./develop.ts');
    await develop(values, process.env);
  },
  explainStart,
);
