import { explainFailure, runProgram } from '@guild-settings/runtime/command-line';
import { EnvironmentError } from '@guild-settings/runtime/environment';
import { checkDiscord, readCheckConfig } from './check-discord.ts';

const PROGRAM = {
  summary: `Compares the environment of api and bot with the application in Discord's developer portal, and says line by line
what is right and what to click. Exits with 1 where something is wrong. Shows no secret, and changes nothing.`,
  usage: ['npx --yes pnpm@12 run check-discord', 'node --env-file=bot.env apps/sandbox/dist/check-discord/main.js'],
  options: {},
  notes: `Environment, as for the programs: docs/reference.md
  DISCORD_APPLICATION_ID, DISCORD_BOT_TOKEN, DISCORD_CLIENT_SECRET
                   the application and its secrets, or the paths of their files as ..._FILE
  DASHBOARD_URL    the dashboard, whose redirect is checked: none
  PREFIX_COMMANDS  off: the Message Content Intent is not needed: on
  DISCORD_API_URL  https://discord.com/api/v10`,
};

await runProgram(
  PROGRAM,
  async () => {
    const { isRight, text } = await checkDiscord(readCheckConfig());
    console.log(text);
    if (!isRight) process.exitCode = 1;
  },
  (error) => (error instanceof EnvironmentError ? { output: error.message, exitCode: 1 } : explainFailure(error)),
);
