import { writeFileSync } from 'node:fs';
import { SPECIFIED_SETTINGS } from '@guild-settings/contract/settings';
import { EnvironmentError } from '@guild-settings/runtime/environment';
import { temporaryFolder } from '@guild-settings/testing';
import { describe, expect, test } from 'vitest';
import { readConfig, startSecrets } from './config.ts';

const MINIMAL = { DISCORD_APPLICATION_ID: '80351110224678912' };

describe('the configuration', () => {
  test('needs the application id alone', () => {
    expect(readConfig(MINIMAL)).toEqual({
      server: { host: '127.0.0.1', port: 3000, trustProxy: false, corsOrigins: [], logLevel: 'info' },
      database: { kind: 'sqlite', path: './data/guild-settings.db' },
      discord: {
        apiUrl: 'https://discord.com/api/v10',
        authorizeUrl: 'https://discord.com/oauth2/authorize',
        applicationId: '80351110224678912',
      },
      auth: { cacheTtlMs: 60_000, staleGraceMs: 300_000 },
      rateLimitPerMinute: 300,
      changeLogBytesPerDay: 4_194_304,
      retention: { changesMs: 90 * 86_400_000, leftGuildsMs: 30 * 86_400_000 },
      erasureLedger: './data/guild-settings.db-erasures',
      retentionConfirmedUntilMs: null,
      settings: SPECIFIED_SETTINGS,
    });
  });

  test('names every bad key at once, with what was expected and what came', () => {
    const read = () => readConfig({ PORT: '70000', CORS_ORIGINS: 'https://a.example/path', LOG_LEVEL: 'loud' });
    expect(read).toThrow(EnvironmentError);
    for (const part of [
      /PORT: .*70000/s,
      /CORS_ORIGINS: .*without paths.*separated by commas/s,
      /LOG_LEVEL: .*loud/s,
      /APPLICATION_ID: .*nothing/s,
    ]) {
      expect(read).toThrow(part);
    }
  });

  test('shows no secret of a database URL', () => {
    const read = () => readConfig({ ...MINIMAL, DATABASE_URL: 'mysql://user:hunter2@host/db' });
    expect(read).toThrow(/DATABASE_URL: expected file:/);
    expect(read).not.toThrow(/hunter2/);
  });

  test('takes the token of the bot, and shows none that is unusable', () => {
    expect(readConfig({ ...MINIMAL, DISCORD_BOT_TOKEN: 'MTk4.Cl2FMQ.ZnCjm1' }).discord.botToken).toBe(
      'MTk4.Cl2FMQ.ZnCjm1',
    );
    const read = () => readConfig({ ...MINIMAL, DISCORD_BOT_TOKEN: 'Bot hunter2' });
    expect(read).toThrow(/DISCORD_BOT_TOKEN: .*without spaces.*hidden/);
    expect(read).not.toThrow(/hunter2/);
  });

  test.each([
    ['TRUST_PROXY', 'true'],
    ['TRUST_PROXY', 'foo'],
    ['TRUST_PROXY', '0'],
    ['TRUST_PROXY', '10'],
    ['TRUST_PROXY', '10.0.0.1,true'],
    ['TRUST_PROXY', '0.0.0.0/0'],
    ['TRUST_PROXY', '::/0'],
    ['TRUST_PROXY', '10.0.0.0/33'],
    ['CORS_ORIGINS', 'https://*.example'],
    ['CORS_ORIGINS', '*'],
    ['PORT', '0x10'],
    ['RATE_LIMIT_PER_MINUTE', ' '],
    ['AUTH_CACHE_TTL', '1.5'],
    ['CHANGE_LOG_BYTES_PER_DAY', '4 MiB'],
    ['RETENTION_CONFIRMED_UNTIL', '2031-05-04 12:00'],
    ['DISCORD_API_URL', 'https://user:hunter2@discord.example'],
    ['DISCORD_API_URL', 'hunter2'],
  ])('refuses %s=%s instead of guessing, and shows no password', (key, value) => {
    const read = () => readConfig({ ...MINIMAL, [key]: value });
    expect(read).toThrow(new RegExp(`${key}: expected`));
    expect(read).not.toThrow(/hunter2/);
  });

  test.each([
    ['false', false],
    ['1', 1],
    ['127.0.0.1, 10.0.0.0/8, ::1', '127.0.0.1, 10.0.0.0/8, ::1'],
  ])('trusts proxies as TRUST_PROXY=%s says', (value, trustProxy) => {
    expect(readConfig({ ...MINIMAL, TRUST_PROXY: value }).server.trustProxy).toBe(trustProxy);
  });

  test('is frozen', () => {
    expect(Object.isFrozen(readConfig(MINIMAL).server)).toBe(true);
  });
});

describe('the page', () => {
  const KEY = Buffer.alloc(32, 7).toString('base64');
  const PAGE = { ...MINIMAL, DASHBOARD_URL: 'https://a.example', DISCORD_CLIENT_SECRET: 'hunter2', SESSION_KEY: KEY };

  test('is off without DASHBOARD_URL, and has its defaults with it', () => {
    const api = { DISCORD_API_URL: 'https://discord.example/api/v10' };
    const off = readConfig({ ...PAGE, ...api, DASHBOARD_URL: '' });
    expect(off.page).toBeUndefined();
    expect(off.discord.authorizeUrl).toBe('https://discord.com/oauth2/authorize');
    const config = readConfig({ ...PAGE, ...api });
    expect(config.page).toStrictEqual({
      url: 'https://a.example',
      clientSecret: 'hunter2',
      sessionKeys: [Buffer.alloc(32, 7)],
      links: { support: undefined, privacy: undefined },
      cdnUrl: 'https://cdn.discordapp.com',
    });
    expect(config.discord.authorizeUrl).toBe('https://discord.example/oauth2/authorize');
  });

  test.each([
    [
      { DISCORD_CLIENT_SECRET: '', SESSION_KEY: undefined },
      /DISCORD_CLIENT_SECRET: .*DASHBOARD_URL.*\n.*SESSION_KEY: /,
    ],
    [{ SESSION_KEY: '' }, /SESSION_KEY: .*DASHBOARD_URL/],
    [
      { DISCORD_CLIENT_SECRET: undefined, PORT: 'x' },
      /PORT: .*\n.*DISCORD_CLIENT_SECRET: |DISCORD_CLIENT_SECRET: .*\n.*PORT: /,
    ],
  ])('without %j names what is missing, with everything else that is wrong', (env, message) => {
    expect(() => readConfig({ ...PAGE, ...env })).toThrow(message);
  });

  test.each([
    ['DASHBOARD_URL', 'http://settings.example'],
    ['DASHBOARD_URL', 'http://10.0.0.1:3000'],
    ['DASHBOARD_URL', 'https://settings.example/dashboard'],
    ['DASHBOARD_URL', 'https://user:hunter2@settings.example'],
    ['DASHBOARD_URL', 'settings.example'],
    ['DISCORD_CDN_URL', 'https://cdn.example/icons'],
    ['DISCORD_CDN_URL', "https://cdn.example; script-src 'unsafe-inline'"],
    ['DISCORD_CDN_URL', 'cdn.example'],
    ['DISCORD_CLIENT_SECRET', 'hunter2 with space'],
    ['SESSION_KEY', 'hunter2'],
    ['SESSION_KEY', `${KEY},hunter2`],
    ['SESSION_KEY', `${KEY},${KEY}`],
    ['SESSION_KEY', `${KEY}, ${'07'.repeat(32)}`],
    ['SUPPORT_URL', 'javascript:alert(1)'],
  ])('is refused with %s=%s, without a secret', (name, value) => {
    const read = () => readConfig({ ...PAGE, [name]: value });
    expect(read).toThrow(`${name}: expected`);
    expect(read).not.toThrow(/hunter2/);
    expect(read).not.toThrow(KEY);
  });

  test.each(['http://localhost:3000', 'http://127.0.0.1:3000', 'http://[::1]:3000'])(
    'needs no https on this machine: %s',
    (url) => expect(readConfig({ ...PAGE, DASHBOARD_URL: url }).page?.url).toBe(url),
  );

  test('has several keys, in base64 and hexadecimal, the newest first', () => {
    const keys = [Buffer.alloc(32, 10), Buffer.alloc(32, 7)];
    expect(readConfig({ ...PAGE, SESSION_KEY: `${'0a'.repeat(32)}, ${KEY}` }).page?.sessionKeys).toStrictEqual(keys);
  });

  test('has secrets that the redactor of start failures knows', () => {
    const secrets = startSecrets([], { ...PAGE, SESSION_KEY: `${KEY},x`, DATABASE_URL: 'postgres://u:hunter3@h/d' });
    for (const secret of [KEY, 'hunter2', 'hunter3']) expect(secrets).toContain(secret);
  });
});

describe('SETTINGS_FILE', () => {
  const label = { 'en-US': 'A label' };

  test('declares settings beside the specified ones, with a tag', () => {
    using folder = temporaryFolder();
    const path = folder.file('settings.json');
    const declaration = { settings: { on: { kind: 'switch', label } }, defaults: { prefix: '?' } };
    writeFileSync(path, JSON.stringify(declaration));
    const { settings } = readConfig({ ...MINIMAL, SETTINGS_FILE: path });
    expect(settings.declaration).toEqual(declaration);
    expect(settings.tag).toMatch(/^[0-9a-f]{8}$/);
    expect(settings.effective({})).toMatchObject({ prefix: '?', custom: { on: false } });
  });

  test('with flaws is refused with all of them, beside those of other variables', () => {
    using folder = temporaryFolder();
    const path = folder.file('settings.json');
    const rate = { kind: 'integer', min: 0, max: 9, label };
    writeFileSync(path, JSON.stringify({ settings: { rate, 'a/b': { kind: 'map', label } } }));
    expect(() => readConfig({ ...MINIMAL, PORT: 'x', SETTINGS_FILE: path })).toThrow(
      new EnvironmentError([
        { key: 'PORT', message: 'expected an integer from 0 to 65535; received "x"' },
        {
          key: 'SETTINGS_FILE',
          message: '/settings/rate/default: expected a default, required for the kind integer',
        },
        {
          key: 'SETTINGS_FILE',
          message:
            '/settings/a~1b: expected a lower-case letter from a to z, then at most 31 letters, digits and underscores',
        },
        {
          key: 'SETTINGS_FILE',
          message:
            '/settings/a~1b/kind: expected one of switch, integer, number, duration, time, timeZone, choice, text, color, emoji, channel, role, user, table, received "map"',
        },
      ]),
    );
  });

  test.each([
    ['/nowhere/settings.json', 'expected a readable file. There is no such file or folder. Check the path.'],
    ['settings.ts', 'expected a .json file. For a .ts or .js file, "npx --yes pnpm@12 run settings check settings.ts'],
  ])('%s is refused with a remedy', (path, message) => {
    const read = () => readConfig({ ...MINIMAL, SETTINGS_FILE: path });
    expect(read).toThrow(`SETTINGS_FILE: ${message}`);
    expect(read).toThrow(`; received "${path}"`);
  });
});
