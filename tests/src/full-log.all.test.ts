import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { freePort, startProgram, temporaryFolder, unreachableUrl, waitUntil } from '@guild-settings/testing';
import { describe, expect, test } from 'vitest';

/** A device on which each write fails with ENOSPC. */
const FULL = '/dev/full';

const mainOf = (app: string) => fileURLToPath(new URL(`../../apps/${app}/dist/main.js`, import.meta.url));

describe.skipIf(!existsSync(FULL)).concurrent('a program whose log is on a full disk', () => {
  test.each([
    ['api', 'PORT'],
    ['bot', 'HEALTH_PORT'],
  ])('the %s reports it once, and goes on', async (app, portVariable) => {
    const [port, discordUrl] = [await freePort(), await unreachableUrl()];
    const url = `http://127.0.0.1:${port}`;
    using folder = temporaryFolder();
    const env = {
      [portVariable]: String(port),
      ...(app === 'bot' && { API_URL: discordUrl }),
      DISCORD_API_URL: discordUrl,
      DISCORD_APPLICATION_ID: '123456789012345678',
      DISCORD_CLIENT_SECRET: 'client-secret-of-the-process',
      DISCORD_BOT_TOKEN: 'bot-token-of-the-process',
      DASHBOARD_URL: url,
      SESSION_KEY: '2a'.repeat(32),
      DATABASE_URL: `file:${folder.file('program.db')}`,
      LOG_LEVEL: 'trace',
    };
    const args = ['-c', `exec "$0" "$@" > ${FULL}`, process.execPath, mainOf(app)];
    await using program = startProgram({ file: '/bin/sh', args, env });
    const isResponding = async () => (await fetch(`${url}/healthz`).catch(() => undefined))?.ok ?? false;
    await waitUntil(async () => !program.isRunning() || (await isResponding()));
    await waitUntil(() => !program.isRunning() || program.stderr().includes('ENOSPC'));
    // Further requests are also logged.
    for (let requests = 0; requests < 3; requests += 1) expect(await isResponding()).toBe(true);
    expect((await program.end('SIGTERM')).code).toBe(0);
    expect(program.stderr()).toMatch(/^The log cannot be written: ENOSPC.*\n$/);
  });
});
