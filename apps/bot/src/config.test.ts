import { EnvironmentError } from '@guild-settings/runtime/environment';
import { rejectionOf } from '@guild-settings/testing';
import { describe, expect, test } from 'vitest';
import { readBotConfig } from './config.ts';

const NEEDED = {
  DISCORD_APPLICATION_ID: '1100000000000000001',
  DISCORD_CLIENT_SECRET: 'secret-of-the-app',
  DISCORD_BOT_TOKEN: 'secret-of-the-bot',
};

async function refusal(env: NodeJS.ProcessEnv): Promise<string> {
  const error = await rejectionOf((async () => readBotConfig(env))());
  expect(error).toBeInstanceOf(EnvironmentError);
  return (error as EnvironmentError).message;
}

describe('the environment', () => {
  test('needs an application and its secrets alone', () => {
    expect(readBotConfig(NEEDED)).toEqual({
      apiUrl: 'http://127.0.0.1:3000',
      discord: {
        apiUrl: 'https://discord.com/api/v10',
        applicationId: '1100000000000000001',
        clientSecret: 'secret-of-the-app',
        botToken: 'secret-of-the-bot',
      },
      reset: { acceptedEpoch: undefined, holdMs: 3_600_000 },
      databasePath: './data/bot.db',
      shards: null,
      readsMessages: true,
      setsJoinLanguage: true,
      health: { host: '127.0.0.1', port: 3002 },
      logLevel: 'info',
    });
  });

  test('may leave keys empty, as compose files do', () => {
    expect(readBotConfig({ ...NEEDED, API_URL: '', SHARDS: '', SHARD_COUNT: '', HEALTH_PORT: '' })).toEqual(
      readBotConfig(NEEDED),
    );
  });

  test('has URLs without a slash at the end, and its file by a path or a URL', () => {
    const read = (url: string) => readBotConfig({ ...NEEDED, API_URL: 'http://api:3000//', DATABASE_URL: url });
    expect(read('file:/data/bot.db').apiUrl).toBe('http://api:3000');
    expect(['file:/data/bot.db', 'file:///data/bot.db', 'file:bot.db'].map((url) => read(url).databasePath)).toEqual([
      '/data/bot.db',
      '/data/bot.db',
      'bot.db',
    ]);
  });

  test('that is wrong is listed key by key, all at once, and without a secret', async () => {
    const message = await refusal({
      API_URL: 'nonsense-with-a-password',
      DISCORD_API_URL: 'https://user:hunter2@discord.com',
      DISCORD_APPLICATION_ID: '12',
      DISCORD_CLIENT_SECRET: 'hunter2 ',
      DATABASE_URL: 'mysql://hunter2',
      SHARDS: '0',
      PREFIX_COMMANDS: 'no',
      HEALTH_PORT: '0x10',
      LOG_LEVEL: 'loud',
    });
    expect(message.split('\n')).toEqual([
      'The environment is not usable:',
      '  DISCORD_APPLICATION_ID: expected a Discord id: 17 to 20 decimal digits; received "12"',
      '  DISCORD_CLIENT_SECRET: expected a secret as Discord shows it, without spaces and quotes; received a hidden value',
      '  DISCORD_BOT_TOKEN: expected a secret of your application; received nothing',
      '  API_URL: expected an http(s) URL; received a hidden value',
      '  DATABASE_URL: expected file:<path>, such as file:./data/bot.db; received a hidden value',
      '  PREFIX_COMMANDS: expected one of on, off; received "no"',
      '  HEALTH_PORT: expected an integer from 0 to 65535; received "0x10"',
      '  DISCORD_API_URL: expected a URL without a user name and password; received a hidden value',
      '  LOG_LEVEL: expected one of fatal, error, warn, info, debug, trace, silent; received "loud"',
      '  SHARD_COUNT: expected both SHARDS and SHARD_COUNT, or neither; received nothing',
    ]);
    expect(message).not.toMatch(/hunter2|nonsense/);
  });
});

describe('shards', () => {
  test.each([
    ['0', [0]],
    ['0,1', [0, 1]],
    ['[0,1]', [0, 1]],
    [' [ 3 , 1,1 ] '.trim(), [1, 3]],
  ])('may be written %j', (SHARDS, ids) => {
    expect(readBotConfig({ ...NEEDED, SHARDS, SHARD_COUNT: '4' }).shards).toEqual({ ids, count: 4 });
  });

  test.each([
    [{ SHARD_COUNT: '2' }, 'SHARDS: expected both SHARDS and SHARD_COUNT, or neither; received nothing'],
    [{ SHARDS: '0,2', SHARD_COUNT: '2' }, 'SHARDS: expected shard ids below 2; received "0,2"'],
    [
      { SHARDS: 'all', SHARD_COUNT: '2' },
      'SHARDS: expected shard ids separated by commas, such as 0,1; received "all"',
    ],
    [{ SHARDS: '-1', SHARD_COUNT: '2' }, 'SHARDS: expected shard ids separated by commas, such as 0,1; received "-1"'],
    [{ SHARDS: '0', SHARD_COUNT: '0' }, 'SHARD_COUNT: expected an integer from 1 to 65536; received "0"'],
  ])('may not be %j', async (env, expected) => {
    expect(await refusal({ ...NEEDED, ...env })).toBe(`The environment is not usable:\n  ${expected}`);
  });
});
