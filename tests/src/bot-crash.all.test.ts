import { writeFile } from 'node:fs/promises';
import { APPLICATION, BOT, startWorld } from '@guild-settings/discord-sim/testing/world';
import { startService } from '@guild-settings/sandbox';
import { temporaryFolder } from '@guild-settings/testing';
import { expect, test } from 'vitest';
import { botEnvironment } from './testing/test-bot.ts';

const TOKEN = 'aW50ZXJhY3Rpb246-of-the-crash';

/** Fails with an error like those of discord.js, some time after the bot has read its configuration. */
const CRASH = `
  const error = Object.assign(new Error('crashed with ' + process.env.DISCORD_CLIENT_SECRET), {
    url: 'http://127.0.0.1/interactions/1234567890123456789/${TOKEN}/callback',
    requestBody: { json: { content: 'what-a-person-wrote' } },
    headers: { authorization: 'Bot ' + process.env.DISCORD_BOT_TOKEN },
  });
  process.once('SIGUSR2', () => FAIL);`;

test('a bot without its Message Content Intent ended with an empty standard error', async () => {
  using folder = temporaryFolder();
  await using discord = await startWorld();
  discord.world.addBot({ applicationId: APPLICATION.id, ...BOT, privilegedIntents: 0 });
  const env = botEnvironment({ apiUrl: 'http://127.0.0.1:9', discord, path: `${folder.path}/bot.db` });
  await using refused = startService('bot', env);
  expect(await refused.exited).toEqual({ code: 1, signal: null });
  expect(refused.stderr()).toMatch(/^Discord does not let the bot read messages\. .*PREFIX_COMMANDS=off.*\n$/);
  await using bot = startService('bot', { ...env, PREFIX_COMMANDS: 'off' });
  await bot.waitForOutput(/the bot is connected/);
});

test.each([
  ['an unhandled rejection', 'void Promise.reject(error)'],
  ['an uncaught error', 'setImmediate(() => { throw error; })'],
])('%s of the bot printed tokens, secrets and request bodies', async (_name, fail) => {
  using folder = temporaryFolder();
  await using discord = await startWorld();
  const env = botEnvironment({ apiUrl: 'http://127.0.0.1:9', discord, path: `${folder.path}/bot.db` });
  const module = `${folder.path}/crash.mjs`;
  await writeFile(module, CRASH.replace('FAIL', fail));
  await using bot = startService('bot', { ...env, LOG_LEVEL: 'trace' }, ['--import', module]);
  await bot.waitForOutput(/the bot is connected/);
  expect(await bot.end('SIGUSR2')).toEqual({ code: 1, signal: null });
  expect(bot.output()).toContain('crashed with [redacted]');
  expect(bot.output()).toContain('/interactions/1234567890123456789/[redacted]/callback');
  for (const secret of [TOKEN, 'what-a-person-wrote', APPLICATION.clientSecret, BOT.token]) {
    expect(bot.output()).not.toContain(secret);
  }
});
