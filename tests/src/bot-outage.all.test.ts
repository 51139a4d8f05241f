import { writeFile } from 'node:fs/promises';
import { createGuildSettingsClient } from '@guild-settings/client';
import { APPLICATION, BOT, GUILDS, PEOPLE, startWorld, tokenOf } from '@guild-settings/discord-sim/testing/world';
import { apiUrlOf, healthUrlOf, startService } from '@guild-settings/sandbox';
import { temporaryFolder, waitUntil } from '@guild-settings/testing';
import { expect, test } from 'vitest';
import { talkToBot } from './testing/conversation.ts';
import { botEnvironment } from './testing/test-bot.ts';

const [{ id: guild, channels }] = GUILDS;

interface Readiness {
  readonly replica: { readonly state: string; readonly since?: string; readonly revision: number };
}

async function readiness(healthUrl: string): Promise<Readiness> {
  return (await fetch(`${healthUrl}/readyz`)).json() as Promise<Readiness>;
}

/** Returns how often the replica of a bot has lost or not reached the service. */
async function reconnects(healthUrl: string): Promise<number> {
  const metrics = await (await fetch(`${healthUrl}/metrics`)).text();
  return Number(/^bot_replica_reconnects_total (\d+)/m.exec(metrics)?.[1]);
}

test('the bot replies while the api is down, also after a restart, and is live at the first attempt after its return', async () => {
  using folder = temporaryFolder();
  await using discord = await startWorld();
  const apiEnv = {
    DATABASE_URL: `file:${folder.path}/api.db`,
    DISCORD_API_URL: discord.apiUrl,
    DISCORD_APPLICATION_ID: APPLICATION.id,
  };
  await using firstApi = startService('api', { ...apiEnv, PORT: '0' });
  const apiUrl = await apiUrlOf(firstApi);
  const settings = createGuildSettingsClient({ url: apiUrl, token: tokenOf('application') });
  const botEnv = botEnvironment({ apiUrl, discord, path: `${folder.path}/bot.db` });
  const { send } = talkToBot(discord, PEOPLE.manager.id, channels.general);

  await using firstBot = startService('bot', botEnv);
  const firstHealth = await healthUrlOf(firstBot);
  await settings.guilds.update.mutate({ guild, prefix: '?', language: 'ja' });
  await waitUntil(
    async () => {
      const { replica } = await readiness(firstHealth);
      return replica.state === 'LIVE' && replica.revision > GUILDS.length;
    },
    { message: 'the bot to be live, with the change after its report of its guilds' },
  );
  expect(await send('?ping')).toContain('ポン');

  await firstApi.end('SIGKILL');
  expect(await send('?ping')).toContain('ポン');
  expect(await send('?about')).toContain('設定');
  const refusal = await send('?settings set prefix %');
  expect(refusal).toContain('設定サービス');

  await firstBot.end('SIGKILL');
  await using secondBot = startService('bot', botEnv);
  const secondHealth = await healthUrlOf(secondBot);
  expect(await send('?ping')).toContain('ポン');
  const { replica } = await readiness(secondHealth);
  expect(replica).toMatchObject({ state: 'STALE', since: expect.stringMatching(/^\d{4}-/) });

  // The api restarts with changes made meanwhile by another client.
  await using elsewhere = startService('api', { ...apiEnv, PORT: '0' });
  const other = createGuildSettingsClient({ url: await apiUrlOf(elsewhere), token: tokenOf('application') });
  await other.guilds.update.mutate({ guild, prefix: '$' });
  await elsewhere.end('SIGTERM');
  await using _secondApi = startService('api', { ...apiEnv, PORT: new URL(apiUrl).port });
  await apiUrlOf(_secondApi);
  const attempts = await reconnects(secondHealth);
  await waitUntil(async () => (await readiness(secondHealth)).replica.state === 'LIVE', {
    message: 'the bot to be live again',
  });
  // An attempt that failed before the service returned may be counted after it.
  expect(await reconnects(secondHealth)).toBeLessThanOrEqual(attempts + 1);
  expect(await send('$ping')).toContain('ポン');
  expect(await secondBot.end('SIGTERM')).toEqual({ code: 0, signal: null });
});

test('a bot that starts before the api replies with the defaults, and is live once the api is up', async () => {
  using folder = temporaryFolder();
  await using discord = await startWorld();
  await using api = startService('api', {
    PORT: '0',
    DATABASE_URL: `file:${folder.path}/api.db`,
    DISCORD_API_URL: discord.apiUrl,
    DISCORD_APPLICATION_ID: APPLICATION.id,
  });
  const apiUrl = await apiUrlOf(api);
  await api.end('SIGTERM');
  await using bot = startService('bot', botEnvironment({ apiUrl, discord, path: `${folder.path}/bot.db` }));
  const health = await healthUrlOf(bot);
  const { send } = talkToBot(discord, PEOPLE.member.id, channels.general);
  expect(await send('!ping')).toContain('Pong');
  expect((await fetch(`${health}/readyz`)).status).toBe(503);
  await using _again = startService('api', {
    PORT: new URL(apiUrl).port,
    DATABASE_URL: `file:${folder.path}/api.db`,
    DISCORD_API_URL: discord.apiUrl,
    DISCORD_APPLICATION_ID: APPLICATION.id,
  });
  await waitUntil(async () => (await fetch(`${health}/readyz`)).status === 200, { message: 'the bot to be ready' });
});

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
