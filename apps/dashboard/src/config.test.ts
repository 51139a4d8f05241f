import { expect, test } from 'vitest';
import { readDashboardConfig, startSecrets } from './config.ts';

const KEY = Buffer.alloc(32, 7).toString('base64');
const ENV = {
  DASHBOARD_URL: 'https://settings.example',
  DISCORD_APPLICATION_ID: '80351110224678912',
  DISCORD_CLIENT_SECRET: 'client-secret',
  SESSION_KEY: KEY,
};

test('five variables are enough, and the rest has defaults', () => {
  expect(readDashboardConfig(ENV)).toStrictEqual({
    url: 'https://settings.example',
    links: { support: undefined, privacy: undefined },
    server: { host: '127.0.0.1', port: 3_003, trustProxy: false, rateLimitPerMinute: 600, logLevel: 'info' },
    apiUrl: 'http://127.0.0.1:3000',
    discord: {
      apiUrl: 'https://discord.com/api/v10',
      authorizeUrl: 'https://discord.com/oauth2/authorize',
      cdnUrl: 'https://cdn.discordapp.com',
      applicationId: '80351110224678912',
      clientSecret: 'client-secret',
    },
    sessionKeys: [Buffer.alloc(32, 7)],
    database: { kind: 'sqlite', path: './data/dashboard.db' },
  });
});

test('everything that is missing or unusable is named at once, without a secret', () => {
  const read = () => readDashboardConfig({ SESSION_KEY: 'too-short', DISCORD_CLIENT_SECRET: 'with space' });
  expect(read).toThrow(/DASHBOARD_URL: .*\n.*DISCORD_APPLICATION_ID: .*\n.*DISCORD_CLIENT_SECRET: .*\n.*SESSION_KEY: /);
  expect(read).toThrow(/openssl rand -base64 32/);
  expect(read).not.toThrow(/too-short|with space/);
});

test.each([
  'http://settings.example',
  'http://10.0.0.1:3003',
  'https://settings.example/dashboard',
  'https://user:pass@settings.example',
  'settings.example',
])('the address %s is refused', (url) => {
  expect(() => readDashboardConfig({ ...ENV, DASHBOARD_URL: url })).toThrow(/DASHBOARD_URL: expected/);
});

test.each(['https://cdn.example/icons', "https://cdn.example; script-src 'unsafe-inline'", 'cdn.example'])(
  'an address of icons that is no origin is refused: %s',
  (url) => {
    expect(() => readDashboardConfig({ ...ENV, DISCORD_CDN_URL: url })).toThrow(/DISCORD_CDN_URL: expected/);
  },
);

test.each(['http://localhost:3003', 'http://127.0.0.1:3003', 'http://[::1]:3003'])(
  'the address %s of this machine needs no https',
  (url) => {
    expect(readDashboardConfig({ ...ENV, DASHBOARD_URL: `${url}/` }).url).toBe(url);
  },
);

test('several keys, in base64 and hexadecimal, the newest first; none twice', () => {
  const keys = `${'0a'.repeat(32)}, ${KEY}`;
  expect(readDashboardConfig({ ...ENV, SESSION_KEY: keys }).sessionKeys).toStrictEqual([
    Buffer.alloc(32, 10),
    Buffer.alloc(32, 7),
  ]);
  expect(() => readDashboardConfig({ ...ENV, SESSION_KEY: `${KEY},${KEY}` })).toThrow('expected each key once');
});

test('the secrets of the environment are known to the redactor of start failures', () => {
  const secrets = startSecrets({ ...ENV, SESSION_KEY: `${KEY},x`, DATABASE_URL: 'postgres://u:hunter2@h/d' });
  for (const secret of [KEY, 'client-secret', 'hunter2']) expect(secrets).toContain(secret);
});
