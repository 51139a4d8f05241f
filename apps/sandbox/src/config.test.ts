import { writeFileSync } from 'node:fs';
import { APPLICATION } from '@guild-settings/discord-sim/testing/world';
import { temporaryFolder } from '@guild-settings/testing';
import { expect, test } from 'vitest';
import { readSandboxConfig } from './config.ts';

test('without any variable it is the sandbox on its usual ports, logging warnings alone', () => {
  expect(readSandboxConfig({})).toMatchObject({
    api: {
      server: { host: '127.0.0.1', port: 3_000, trustProxy: false, logLevel: 'warn' },
      database: { path: './data/guild-settings.db' },
      page: { url: 'http://127.0.0.1:3000' },
    },
    bot: { health: { host: '127.0.0.1', port: 3_002 }, databasePath: './data/bot.db', logLevel: 'warn' },
    discord: { kind: 'simulated', port: 3_001 },
  });
});

test('an empty variable is as good as none', () => {
  const env = { PORT: '', SIM_PORT: '', LOG_LEVEL: '', DISCORD_APPLICATION_ID: '' };
  expect(readSandboxConfig(env)).toStrictEqual(readSandboxConfig({}));
});

test('an application of its own means the real Discord', () => {
  const { api, bot, discord } = readSandboxConfig({ DISCORD_APPLICATION_ID: '1100000000000000001' });
  expect(bot).toBeNull();
  expect(api.page).toBeUndefined();
  expect(discord).toStrictEqual({ kind: 'real' });
  expect(api.discord).toStrictEqual({
    apiUrl: 'https://discord.com/api/v10',
    authorizeUrl: 'https://discord.com/oauth2/authorize',
    applicationId: '1100000000000000001',
    botToken: undefined,
  });
});

test('LOG_LEVEL is heeded', () => {
  expect(readSandboxConfig({ LOG_LEVEL: 'info' }).api.server.logLevel).toBe('info');
});

test.each(['x', '-1', '65536', '3.5', ' 3001', '03001'])('SIM_PORT %j is refused', (port) => {
  expect(() => readSandboxConfig({ SIM_PORT: port })).toThrow(`SIM_PORT: expected a port; received "${port}"`);
});

test('SIM_REDIRECT_URIS has redirect URIs of the application beside the page’s, each of them usable', () => {
  const read = (uris: string) => readSandboxConfig({ SIM_REDIRECT_URIS: uris }).discord;
  expect(read('')).toMatchObject({ redirectUris: [] });
  const own = ['http://localhost:3000/api/auth/callback', 'my-app://back'];
  expect(read(own.join(', '))).toMatchObject({ redirectUris: own });
  for (const uri of ['/back', 'http://localhost:3000/#back']) {
    expect(() => read(`${own[0]},${uri}`)).toThrow(
      `SIM_REDIRECT_URIS: expected absolute URIs without a fragment, separated by commas; received "${uri}"`,
    );
  }
});

test.each([
  [{ PORT: '3001' }, 'SIM_PORT'],
  [{ PORT: '3002' }, 'HEALTH_PORT'],
  [{ SIM_PORT: '3002' }, 'HEALTH_PORT'],
])('two servers on one port are refused: %j', (env, key) => {
  expect(() => readSandboxConfig(env)).toThrow(`${key}: expected a port of its own`);
});

test('an application with its secret and its bot’s token has its bot started, and its page served with a key of this start', () => {
  const env = { DISCORD_APPLICATION_ID: '1100000000000000001', DISCORD_CLIENT_SECRET: 's', DISCORD_BOT_TOKEN: 't' };
  const { api, bot } = readSandboxConfig(env);
  expect(bot).toMatchObject({ discord: { clientSecret: 's', botToken: 't' } });
  expect(api.page).toMatchObject({ url: 'http://127.0.0.1:3000', clientSecret: 's' });
  expect(readSandboxConfig(env).api.page?.sessionKeys).not.toStrictEqual(api.page?.sessionKeys);
  const { DISCORD_CLIENT_SECRET: _, ...without } = env;
  expect(() => readSandboxConfig(without)).toThrow('DISCORD_CLIENT_SECRET: expected a secret');
});

test('BOT=off starts no bot, because another one is running with the token, which the api keeps', () => {
  expect(readSandboxConfig({ BOT: 'off' })).toMatchObject({ bot: null, discord: { kind: 'simulated' } });
  const real = { DISCORD_APPLICATION_ID: '1100000000000000001', DISCORD_CLIENT_SECRET: 's', DISCORD_BOT_TOKEN: 't' };
  const { api, bot } = readSandboxConfig({ ...real, BOT: 'off' });
  expect(bot).toBeNull();
  expect(api).toMatchObject({ discord: { botToken: 't' }, page: { clientSecret: 's' } });
  for (const env of [{}, real]) {
    expect(() => readSandboxConfig({ ...env, BOT: 'no' })).toThrow('BOT: expected on or off; received "no"');
  }
});

test('the files of the api and the bot have a key each', () => {
  const { api, bot } = readSandboxConfig({ DATABASE_URL: 'file:a.db', BOT_DATABASE_URL: 'file:b.db' });
  expect([api.database, bot?.databasePath]).toStrictEqual([{ kind: 'sqlite', path: 'a.db' }, 'b.db']);
  expect(() => readSandboxConfig({ BOT_DATABASE_URL: 'b.db' })).toThrow(/ {2}BOT_DATABASE_URL: expected file:/);
});

test('some other DISCORD_ variable without an application is refused, with the way back to the sandbox', () => {
  expect(() => readSandboxConfig({ DISCORD_BOT_TOKEN: 'very-secret' })).toThrow(
    /^(?![\s\S]*very-secret)[\s\S]*DISCORD_APPLICATION_ID[\s\S]*Unset every DISCORD_\* variable/,
  );
});

test.each([
  'http://127.0.0.1:3001/api/v10',
  'http://localhost:3001/api/v10',
  'http://LOCALHOST.:3001',
  'http://127.1:3001/api/v10',
  'http://[::1]:3001/api/v10',
  'http://[::ffff:127.0.0.1]:3001/api/v10',
  'http://0.0.0.0:3001/api/v10',
])('%s is refused as Discord, because the sandbox simulates its own there', (address) => {
  const env = { DISCORD_APPLICATION_ID: APPLICATION.id, DISCORD_API_URL: address };
  expect(() => readSandboxConfig(env)).toThrow(
    /DISCORD_API_URL: expected another Discord, received http:.*:3001, where the sandbox simulates its own; .*SIM_PORT.*\nUnset every DISCORD_\* variable/,
  );
  expect(readSandboxConfig({ ...env, SIM_PORT: '3005' }).discord).toStrictEqual({ kind: 'real' });
  expect(() =>
    readSandboxConfig({ ...env, DISCORD_API_URL: address.replace('3001', '3005'), SIM_PORT: '3005' }),
  ).toThrow('DISCORD_API_URL: expected another Discord');
});

test.each(['http://127.0.0.1:3005/api/v10', 'http://10.0.0.1:3001/api/v10', 'https://discord.com/api/v10'])(
  '%s is another Discord',
  (address) => {
    const env = { DISCORD_APPLICATION_ID: APPLICATION.id, DISCORD_API_URL: address };
    expect(readSandboxConfig(env).discord).toStrictEqual({ kind: 'real' });
  },
);

test('SETTINGS_FILE may be a module, of which every flaw is named', () => {
  using folder = temporaryFolder();
  const path = folder.file('settings.ts');
  const read = (settings: string) => {
    writeFileSync(path, `export const settings = { settings: { on: ${settings} } } as const;`);
    return readSandboxConfig({ SETTINGS_FILE: path }).api.settings;
  };
  expect(read("{ kind: 'switch', label: { ja: 'オン' } }").byField.has('custom.on')).toBe(true);
  expect(() => read("{ kind: 'map' }")).toThrow(
    /SETTINGS_FILE: \/settings\/on\/kind: .*\n {2}SETTINGS_FILE: \/settings\/on\/label: /,
  );
});

test('secrets in files mean the real Discord as well, and start the bot and serve the page', () => {
  using folder = temporaryFolder();
  const secrets = {
    DISCORD_CLIENT_SECRET: 'secret-of-the-app',
    DISCORD_BOT_TOKEN: 'secret-of-the-bot',
    SESSION_KEY: 'ab'.repeat(32),
  };
  const files = Object.entries(secrets).map(([key, secret]) => {
    writeFileSync(folder.file(key), secret);
    return [`${key}_FILE`, folder.file(key)] as const;
  });
  const config = readSandboxConfig({ DISCORD_APPLICATION_ID: '1100000000000000001', ...Object.fromEntries(files) });
  expect(config.discord).toStrictEqual({ kind: 'real' });
  expect(config.api.discord.botToken).toBe('secret-of-the-bot');
  expect(config.bot?.discord).toMatchObject({ clientSecret: 'secret-of-the-app', botToken: 'secret-of-the-bot' });
  expect(config.api.page?.sessionKeys).toStrictEqual([Buffer.from(secrets.SESSION_KEY, 'hex')]);
});

test('the page is opened at the port of the api, or where DASHBOARD_URL says', () => {
  const real = { DISCORD_APPLICATION_ID: '1100000000000000001', DISCORD_CLIENT_SECRET: 's', DISCORD_BOT_TOKEN: 't' };
  for (const env of [{}, real]) {
    const urlOf = (more: NodeJS.ProcessEnv) => readSandboxConfig({ ...env, ...more }).api.page?.url;
    expect(urlOf({ PORT: '4000' })).toBe('http://127.0.0.1:4000');
    expect(urlOf({ PORT: '4000', DASHBOARD_URL: 'https://settings.example' })).toBe('https://settings.example');
    expect(() => urlOf({ PORT: 'high' })).toThrow(/^(?![\s\S]*DASHBOARD_URL)[\s\S]*PORT: expected an integer/);
  }
});
