import { readFileSync, writeFileSync } from 'node:fs';
import { lockFile } from '@guild-settings/runtime/sqlite-file';
import { rejectionOf, serveHttp, temporaryFile, waitUntil } from '@guild-settings/testing';
import {
  APPLICATION,
  BOT_ID,
  botResource,
  CHANNEL,
  connectedBot,
  discordResource,
  MEMBER,
  TOKEN,
} from '@guild-settings/testing/bot';
import Database from 'better-sqlite3';
import type { Client } from 'discord.js';
import { describe, expect, test } from 'vitest';
import { startBot } from './bot.ts';
import { readBotConfig, VERSION } from './config.ts';
import { explainStartFailure } from './run-bot.ts';

const MESSAGES = `/channels/${CHANNEL.id}/messages`;
const COMMANDS = `/applications/${APPLICATION.id}/commands`;

describe('a bot without a settings service', () => {
  test('starts, replies by the defaults, and says that its settings are being fetched', async () => {
    await using there = await connectedBot();
    const { discord, bot } = there;
    expect((await discord.people.slash(MEMBER.id, CHANNEL.id, 'help').reply()).content).toContain('`/remind`');
    expect((await discord.people.slash(MEMBER.id, CHANNEL.id, 'about').reply()).content.split('\n')).toEqual([
      `guild-settings bot ${VERSION}`,
      'On 1 server',
      'The settings are loading. Until then, the defaults apply.',
    ]);
    expect((await fetch(`${bot.healthUrl}/healthz`)).status).toBe(200);
    expect(await (await fetch(`${bot.healthUrl}/readyz`)).json()).toMatchObject({
      checks: { gateway: 'ok', accepting: 'ok' },
      replica: { state: 'SYNCING' },
    });
    const metrics = await (await fetch(`${bot.healthUrl}/metrics`)).text();
    expect(metrics).toContain('bot_commands_total{command="about",trigger="slash",outcome="done"} 1');
  });

  test('uses the settings of its file, says since when they are stale, and is ready', async () => {
    await using there = await connectedBot({ settings: { language: 'ja' } });
    const { discord, bot } = there;
    const about = await discord.people.slash(MEMBER.id, CHANNEL.id, 'about').reply();
    expect(about.content).toContain('設定サービスに接続できません。');
    expect((await fetch(`${bot.healthUrl}/readyz`)).status).toBe(200);
  });
});

test('a bot with PREFIX_COMMANDS=off needs no Message Content Intent, has slash commands only, and says so', async () => {
  await using discord = await discordResource();
  discord.world.addBot({ applicationId: APPLICATION.id, token: TOKEN, userId: BOT_ID, privilegedIntents: 0 });
  await using bot = await botResource(discord, { settings: {}, env: { PREFIX_COMMANDS: 'off' } });
  await bot.connected;
  const ignored = [`!ping`, `<@${BOT_ID}> ping`].map(
    (text) => discord.people.sendMessage(MEMBER.id, CHANNEL.id, text).id,
  );
  const slash = async (name: string) => (await discord.people.slash(MEMBER.id, CHANNEL.id, name).reply()).content;
  expect((await slash('help')).split('\n')[0]).toBe('**Commands** (slash commands only)');
  expect(await slash('about')).toMatch(/\nOnly slash commands work: this bot does not read messages\.$/);
  await bot.stop();
  expect(discord.messages.all().filter(({ replyTo }) => replyTo !== null && ignored.includes(replyTo))).toEqual([]);
});

test('a bot whose intent is switched off while it runs ends with the advice', async () => {
  await using discord = await discordResource();
  const reasons: string[] = [];
  await using bot = await botResource(discord, { onEnded: ({ message }) => reasons.push(message) });
  await bot.connected;
  discord.world.addBot({ applicationId: APPLICATION.id, token: TOKEN, userId: BOT_ID, privilegedIntents: 0 });
  discord.gateway.invalidateAll(false);
  await waitUntil(() => reasons.length > 0);
  expect(reasons).toEqual([expect.stringContaining('Switch "Message Content Intent" on')]);
  expect(bot.log.filter(({ msg }) => msg === reasons[0])).toMatchObject([{ level: 50, code: 4014 }]);
});

describe('a change of state is logged once', () => {
  const messages = (bot: { readonly log: readonly Record<string, unknown>[] }, text: string) =>
    bot.log.filter(({ msg }) => msg === text);

  test('the gateway is lost, and connected again', async () => {
    await using there = await connectedBot();
    const { discord, bot } = there;
    for (const times of [1, 2]) {
      discord.gateway.dropAll();
      await waitUntil(() => messages(bot, 'the gateway is connected again').length === times);
      expect(messages(bot, 'the gateway was lost')).toHaveLength(times);
    }
  });

  test('Discord cannot be reached at the start, however often the bot tries, and can be reached again', async () => {
    await using discord = await discordResource();
    discord.faults.set({ kind: 'status', status: 500 }, { path: '/gateway/bot', times: 2 });
    await using bot = await botResource(discord, {
      onClient(client: Client) {
        client.rest.options.retries = 0;
      },
    });
    await bot.connected;
    expect(messages(bot, 'Discord cannot be reached')).toHaveLength(1);
    expect(messages(bot, 'Discord can be reached again')).toHaveLength(1);
  });
});

test('the log says what is started, who is connected, and that it has stopped', async () => {
  await using discord = await discordResource();
  await using bot = await botResource(discord, {
    env: { PREFIX_COMMANDS: 'off', API_URL: 'http://127.0.0.1:9/x' },
  });
  await bot.connected;
  await bot.stop();
  const messages = bot.log.filter(({ level }) => level === 30).map(({ msg }) => msg);
  expect(messages).toEqual([
    `guild-settings bot ${VERSION} starts: settings from http://127.0.0.1:9/x, file ${bot.path}, Discord at ${new URL(discord.apiUrl).host}, all shards, slash commands only`,
    'the bot is connected as Melody, on 1 server',
    'the bot has stopped',
  ]);
  expect(bot.log).not.toContainEqual(expect.objectContaining({ msg: 'the gateway was lost' }));
});

test('a bot that cannot open its reminders releases its file, and stops following the service, which would keep its process', async () => {
  using file = temporaryFile();
  const before = new Database(file.path);
  before.exec('CREATE TABLE reminders (of_another_shape)');
  before.close();
  const config = readBotConfig({
    DATABASE_URL: `file:${file.path}`,
    API_URL: 'http://127.0.0.1:9',
    DISCORD_API_URL: 'http://127.0.0.1:9',
    DISCORD_APPLICATION_ID: APPLICATION.id,
    DISCORD_CLIENT_SECRET: APPLICATION.clientSecret,
    DISCORD_BOT_TOKEN: TOKEN,
    HEALTH_PORT: '0',
    LOG_LEVEL: 'silent',
  });
  await expect(startBot(config)).rejects.toThrow('CREATE TABLE');
  await waitUntil(() => {
    try {
      lockFile(file.path)();
      return true;
    } catch {
      return false;
    }
  });
});

test('reminders are delivered though the commands cannot be registered, which is tried again', async () => {
  await using discord = await discordResource();
  await using bot = await botResource(discord, {
    settings: { enabledFeatures: ['reminders'] },
    onClient(client: Client) {
      client.rest.options.retries = 0;
    },
  });
  discord.faults.set({ kind: 'status', status: 500 }, { path: COMMANDS, times: 1 });
  const { id } = await waitUntil(() => discord.gateway.sessions().some(({ connected }) => connected)).then(() =>
    discord.people.sendMessage(MEMBER.id, CHANNEL.id, '!remind add 1s tea'),
  );
  await discord.messages.waitFor(({ replyTo }) => replyTo === id);
  await discord.messages.waitFor(({ content, nonce }) => nonce !== null && content.endsWith('tea'));
  await bot.connected;
  expect(discord.calls.count({ method: 'GET', path: COMMANDS })).toBe(2);
});

describe('stopping', () => {
  test('may be called twice, and leaves nothing open', async () => {
    await using there = await connectedBot();
    const { discord, bot } = there;
    await Promise.all([bot.stop(), bot.stop()]);
    await bot.stop();
    await waitUntil(() => discord.gateway.sessions().every(({ connected }) => !connected));
    await expect(fetch(`${bot.healthUrl}/healthz`)).rejects.toThrow();
    discord.people.sendMessage(MEMBER.id, CHANNEL.id, '!ping');
    expect(discord.messages.all()).toHaveLength(1);
  });

  test('finishes the command under way', async () => {
    await using there = await connectedBot();
    const { discord, bot } = there;
    discord.faults.set({ kind: 'latency', ms: 300 }, { path: MESSAGES });
    const { id } = discord.people.sendMessage(MEMBER.id, CHANNEL.id, '!ping');
    await waitUntil(() => discord.calls.count({ path: MESSAGES }) === 1);
    await bot.stop();
    expect(discord.messages.all().find(({ replyTo }) => replyTo === id)?.content).toContain('Pong!');
  });

  test.each([
    ['the first look at Discord', '/gateway/bot'],
    ['the registration of the commands', COMMANDS],
  ])('does not wait for %s', async (_, path) => {
    await using discord = await discordResource();
    discord.faults.set({ kind: 'hang' }, { path });
    await using bot = await botResource(discord);
    await waitUntil(() => discord.calls.count({ path }) === 1);
    await bot.stop();
    await bot.connected;
  });

  test('does not wait for a login to which Discord does not respond', async () => {
    await using discord = await discordResource();
    await using bot = await botResource(discord, {
      onClient(client: Client) {
        client.rest.on('response', () => discord.faults.set({ kind: 'hang' }, { path: '/gateway/bot' }));
      },
    });
    await waitUntil(() => discord.calls.count({ path: '/gateway/bot' }) === 2);
    await bot.stop();
  });

  test('does not wait for ever for a reply that Discord does not accept', async () => {
    await using there = await connectedBot({ drainTimeoutMs: 100 });
    const { discord, bot } = there;
    discord.faults.set({ kind: 'hang' }, { path: MESSAGES });
    discord.people.sendMessage(MEMBER.id, CHANNEL.id, '!ping');
    await waitUntil(() => discord.calls.count({ path: MESSAGES }) === 1);
    await bot.stop();
  });
});

test('a bot that cannot start says in one line what to change: its token, its port or its file', async () => {
  await using discord = await discordResource();
  await using taken = await serveHttp();
  const explained = async (env: NodeJS.ProcessEnv) => {
    const start = async () => {
      await using bot = await botResource(discord, { env });
      await bot.connected;
    };
    return explainStartFailure(await rejectionOf(start()));
  };
  expect(await explained({ DISCORD_BOT_TOKEN: 'nobodys-token' })).toMatch(
    /^Discord does not accept DISCORD_BOT_TOKEN\./,
  );
  expect(await explained({ DISCORD_APPLICATION_ID: '1100000000000000077' })).toBe(
    `DISCORD_BOT_TOKEN belongs to the application ${APPLICATION.id}, not to DISCORD_APPLICATION_ID, 1100000000000000077. Take both from the same application of the developer portal.`,
  );
  expect(await explained({ HEALTH_PORT: String(taken.port) })).toMatch(
    /EADDRINUSE.*Set HEALTH_PORT to another port\.$/,
  );
  expect(await explained({ DATABASE_URL: 'file:/dev/null/bot.db' })).toMatch(
    /^The file of DATABASE_URL cannot be used: /,
  );
  using file = temporaryFile();
  writeFileSync(file.path, 'x'.repeat(5_000));
  expect(await explained({ DATABASE_URL: `file:${file.path}` })).toBe(
    `The file of DATABASE_URL is damaged: ${file.path} (file is not a database). It contains reminders. Restore a backup, or recover it with sqlite3: docs/operate.md#a-damaged-file-of-the-bot. To continue without it, move it aside: \`mv ${file.path} ${file.path}-damaged\`, and the same with -wal and -shm. Reminders are then lost, and settings are fetched again.`,
  );
  expect(readFileSync(file.path, 'utf8')).toBe('x'.repeat(5_000));
});

test('a bot whose API_URL redirects logs the address to write there, and sends its token to no other one', async () => {
  await using discord = await discordResource();
  const received: unknown[] = [];
  await using service = await serveHttp((request, response) => {
    received.push(request.url);
    response.end();
  });
  await using proxy = await serveHttp(({ url }, response) =>
    response.writeHead(301, { location: `${service.url}${url}` }).end(),
  );
  await using bot = await botResource(discord, { env: { API_URL: proxy.url } });
  await bot.connected;
  const says = `Expected the settings service at ${proxy.url}, received a redirect to ${service.url}, which is not followed. Set API_URL to ${service.url}.`;
  await waitUntil(() => bot.log.some(({ err }) => (err as Error | undefined)?.message === says));
  expect(received).toEqual([]);
});

test('a bot whose client secret is wrong names it in its health, counts it, and logs it once', async () => {
  await using discord = await discordResource();
  await using bot = await botResource(discord, { settings: {}, env: { DISCORD_CLIENT_SECRET: 'a-wrong-secret' } });
  await bot.connected;
  const lines = () => bot.log.filter(({ msg }) => String(msg).includes('invalid_client'));
  await waitUntil(() => lines().length > 0);
  const { checks } = (await (await fetch(`${bot.healthUrl}/readyz`)).json()) as { checks: { token: string } };
  expect(checks.token).toMatch(/^failing \(.*invalid_client\)$/);
  expect(await (await fetch(`${bot.healthUrl}/metrics`)).text()).toMatch(
    /bot_token_requests_total\{outcome="refused"\} [1-9]/,
  );
  // The watch and the presence report share the pause.
  expect(discord.calls.count({ path: '/oauth2/token' })).toBe(1);
  expect(lines()).toHaveLength(1);
});
