import { expect, test } from 'vitest';
import { readSandboxConfig } from './config.ts';

test('without any variable it is the sandbox on its usual ports, logging warnings alone', () => {
  expect(readSandboxConfig({})).toMatchObject({
    api: {
      server: { host: '127.0.0.1', port: 3_000, logLevel: 'warn' },
      database: { path: './data/guild-settings.db' },
    },
    discord: { kind: 'simulated', port: 3_001 },
  });
});

test('an empty variable is as good as none', () => {
  const env = { PORT: '', SIM_PORT: '', LOG_LEVEL: '', DISCORD_APPLICATION_ID: '' };
  expect(readSandboxConfig(env)).toStrictEqual(readSandboxConfig({}));
});

test('an application of its own means the real Discord', () => {
  const { api, discord } = readSandboxConfig({ DISCORD_APPLICATION_ID: '1100000000000000001' });
  expect(discord).toStrictEqual({ kind: 'real' });
  expect(api.discord).toStrictEqual({
    apiUrl: 'https://discord.com/api/v10',
    applicationId: '1100000000000000001',
  });
});

test('LOG_LEVEL is heeded', () => {
  expect(readSandboxConfig({ LOG_LEVEL: 'info' }).api.server.logLevel).toBe('info');
});

test.each(['x', '-1', '65536', '3.5', ' 3001', '03001'])('SIM_PORT %j is refused', (port) => {
  expect(() => readSandboxConfig({ SIM_PORT: port })).toThrow(`SIM_PORT: expected a port; received "${port}"`);
});

test('both servers on one port are refused', () => {
  expect(() => readSandboxConfig({ PORT: '3001' })).toThrow('SIM_PORT: expected another port than PORT');
});
