import { temporaryFolder } from '@guild-settings/testing';
import { expect, test } from 'vitest';
import { readSandboxConfig } from './config.ts';
import { startSandbox } from './start-sandbox.ts';
import { takePort } from './testing/take-port.ts';

test.each([
  ['PORT', 'the api'],
  ['SIM_PORT', 'the simulated Discord'],
  ['HEALTH_PORT', "the bot's health"],
  ['DASHBOARD_PORT', 'the dashboard'],
])('a taken %s is named with the way out', async (variable, server) => {
  await using taken = await takePort();
  using folder = temporaryFolder();
  const config = readSandboxConfig({
    PORT: '0',
    SIM_PORT: '0',
    HEALTH_PORT: '0',
    DASHBOARD_PORT: '0',
    DATABASE_URL: `file:${folder.file('guild-settings.db')}`,
    BOT_DATABASE_URL: `file:${folder.file('bot.db')}`,
    DASHBOARD_DATABASE_URL: `file:${folder.file('dashboard.db')}`,
    [variable]: String(taken.port),
  });
  await expect(startSandbox(config)).rejects.toMatchObject({
    name: 'PortTakenError',
    message: expect.stringMatching(
      new RegExp(
        `^Port ${taken.port} is taken, so ${server} cannot listen on it\\.\\n.*choose another: .*\\b${variable}=\\d+ .*npx --yes pnpm@12 start$`,
      ),
    ),
  });
});
