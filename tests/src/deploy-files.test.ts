import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { readConfig } from '@guild-settings/api';
import { readBotConfig } from '@guild-settings/bot';
import { HAS_NGINX, hasCommand, prepareNginx, serveHttp, temporaryFolder } from '@guild-settings/testing';
import { describe, expect, test } from 'vitest';

const run = promisify(execFile);
const DEPLOY = fileURLToPath(new URL('../../deploy', import.meta.url));
const UNITS = join(DEPLOY, 'systemd');

describe.skipIf(!hasCommand('systemd-analyze'))('the units', () => {
  test.each(['api', 'bot'])('of the %s have no mistake', async (program) => {
    using folder = temporaryFolder();
    cpSync(UNITS, folder.path, { recursive: true });
    const service = folder.file(`guild-settings@${program}.service`);
    // The check requires the executable of this machine.
    const unit = readFileSync(join(UNITS, 'guild-settings@.service'), 'utf8');
    writeFileSync(service, unit.replace('/usr/bin/node', process.execPath));
    const timer = folder.file(`guild-settings-backup@${program}.timer`);
    cpSync(join(UNITS, 'guild-settings-backup@.timer'), timer);
    const { stdout, stderr } = await run('systemd-analyze', ['verify', service, timer]);
    expect(stdout + stderr).toBe('');
  });

  test.each(['guild-settings@.service', 'guild-settings-backup@.service'])(
    '%s exposes little of the machine',
    async (name) => {
      const { stdout } = await run('systemd-analyze', ['security', '--offline=yes', join(UNITS, name)]);
      expect(stdout).toMatch(/Overall exposure level for \S+: [01]\.\d /);
    },
  );
});

test('the second process of the api runs the program of the first, which an upgrade builds anew', () => {
  const execStart = (file: string) => /^ExecStart=(\S.*)$/m.exec(readFileSync(join(UNITS, file), 'utf8'))?.[1];
  const first = execStart('guild-settings@.service')?.replaceAll('%i', 'api');
  expect(execStart('guild-settings@api-2.service.d/second-process.conf')).toBe(first);
});

test('the containers have what their programs need, the api with the page', () => {
  using folder = temporaryFolder();
  const secrets = {
    'discord-bot-token': 'a-token',
    'discord-client-secret': 'a-secret',
    'session-key': '07'.repeat(32),
  };
  for (const [name, secret] of Object.entries(secrets)) writeFileSync(folder.file(name), secret);
  const ids = { DISCORD_APPLICATION_ID: '80351110224678912', DASHBOARD_URL: 'https://settings.example' };
  const compose = readFileSync(join(DEPLOY, 'compose.yaml'), 'utf8')
    .replace(/\$\{(\w+):\?\}/g, (_, key: keyof typeof ids) => ids[key])
    .replaceAll('/run/secrets', folder.path);
  const environmentOf = (service: string): NodeJS.ProcessEnv => {
    const [, lines = ''] =
      new RegExp(`^  ${service}:\\n[\\s\\S]*?^    environment:\\n((?: {6}.*\\n)+)`, 'm').exec(compose) ?? [];
    return Object.fromEntries([...lines.matchAll(/(\w+): "?([^"\n]*)/g)].map(([, key, value]) => [key, value]));
  };
  expect(readConfig(environmentOf('api')).page).toMatchObject({ url: ids.DASHBOARD_URL, clientSecret: 'a-secret' });
  expect(readBotConfig(environmentOf('bot'))).toMatchObject({ dashboardUrl: ids.DASHBOARD_URL });
});

test('settings of your own are at the path of docs/deploy.md in the container of the api, too', () => {
  const page = readFileSync(join(DEPLOY, '../docs/deploy.md'), 'utf8');
  const paths = [...page.matchAll(/`SETTINGS_FILE=(\S+)`/g)].map(([, path = '']) => path);
  expect(paths).toHaveLength(2);
  const [, service = ''] = /^ {2}api:\n((?: {4}.*\n)+)/m.exec(readFileSync(join(DEPLOY, 'compose.yaml'), 'utf8')) ?? [];
  for (const path of paths) expect(service).toContain(`- ./settings:${dirname(path)}:ro\n`);
  expect(service).toContain('env_file: [{ path: api.env, required: false }]\n');
});

test.skipIf(!HAS_NGINX)('nginx finds no mistake in nginx.conf', async () => {
  await using nginx = await prepareNginx({});
  expect(await nginx.check()).toMatch(/syntax is ok[\s\S]*test is successful/);
});

test.skipIf(!HAS_NGINX)(
  'nginx sends a change to the other process when one ends before it has accepted it',
  async () => {
    let resets = 0;
    await using ending = await serveHttp(({ socket }) => {
      resets += 1;
      socket.resetAndDestroy();
    });
    await using other = await serveHttp((received, response) => received.pipe(response));
    await using nginx = await prepareNginx({ 3000: ending.port, 3001: other.port });
    await nginx.start();
    const ca = readFileSync(nginx.certificate);
    for (const body of ['1', '2', '3']) {
      const change = request(nginx.urls.service, { method: 'PATCH', ca }).end(body);
      const [response] = await once(change, 'response');
      expect([response.statusCode, await text(response)]).toEqual([200, body]);
    }
    expect(resets).toBeGreaterThan(0);
  },
);
