import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startDiscordSim } from '@guild-settings/discord-sim';
import { temporaryFolder } from '@guild-settings/testing';
import { expect, test } from 'vitest';
import { runSandbox } from './testing/sandbox-process.ts';
import { GUILDS, PEOPLE } from './world.ts';

const STARTED = 'Stop with Ctrl-C.';

/** Runs a line as somebody who pastes it does. */
async function paste(line: string): Promise<{ status: number; body: unknown }> {
  const { stdout } = await promisify(execFile)('bash', ['-c', line]);
  const [head = '', body = ''] = stdout.split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), body: JSON.parse(body) };
}

function curlLines(report: string): string[] {
  return report
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.startsWith('curl '));
}

test('prints three curl lines that work: a read, a change and a refusal', async () => {
  using folder = temporaryFolder();
  await using sandbox = runSandbox({ folder: folder.path });
  const lines = curlLines(await sandbox.printed(STARTED));
  expect(lines).toHaveLength(3);
  const [read = '', change = '', refusal = ''] = lines;
  const guild = { id: '197038439483310086', name: 'Discord Testers', prefix: '!', language: 'en-US' };
  expect(await paste(read)).toMatchObject({ status: 200, body: guild });
  expect(await paste(change)).toMatchObject({ status: 200, body: { ...guild, prefix: '?', language: 'ja' } });
  expect(await paste(refusal)).toMatchObject({ status: 403, body: { type: '/problems/not-guild-manager' } });
});

test('prints nothing but its report, while it serves', async () => {
  using folder = temporaryFolder();
  await using sandbox = runSandbox({ folder: folder.path });
  const report = await sandbox.printed(STARTED);
  for (const line of curlLines(report)) await paste(line);
  expect(sandbox.stdout().trim()).toBe(report.trim());
  expect(sandbox.stderr()).toBe('');
});

test('in the chat the bot answers, by what was changed over REST a moment before', async () => {
  using folder = temporaryFolder();
  await using sandbox = runSandbox({ folder: folder.path, args: ['--json'] });
  const { chat, examples } = JSON.parse(await sandbox.printed('\n'));
  const channel = `${chat}/people/${PEOPLE.member.id}/channels/${GUILDS[0].channels.general}/messages`;
  const write = (content: string) =>
    fetch(channel, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ content }),
    });
  const read = async () => JSON.stringify(await (await fetch(channel)).json());
  expect((await write('!help')).status).toBe(201);
  await expect.poll(read).toContain('Lists the commands');
  // Prefix "?", language Japanese.
  expect(await paste(examples[1])).toMatchObject({ status: 200 });
  await expect
    .poll(async () => {
      await write('?help');
      return read();
    })
    .toContain('コマンドの一覧');
});

test('keeps settings, ids and tokens over a stop and a start', async () => {
  using folder = temporaryFolder();
  const runOnce = async (use: (lines: string[]) => Promise<unknown>) => {
    await using sandbox = runSandbox({ folder: folder.path });
    await use(curlLines(await sandbox.printed(STARTED)));
    sandbox.signal('SIGTERM');
    expect((await sandbox.exited).code).toBe(0);
  };
  await runOnce(([, change = '']) => paste(change));
  expect(existsSync(join(folder.path, 'data', 'guild-settings.db'))).toBe(true);
  await runOnce(async ([read = '']) => {
    expect(await paste(read)).toMatchObject({ status: 200, body: { prefix: '?', language: 'ja' } });
  });
});

test('--json prints one line of JSON instead', async () => {
  using folder = temporaryFolder();
  await using sandbox = runSandbox({ folder: folder.path, args: ['--json'] });
  const line = await sandbox.printed('\n');
  const report = JSON.parse(line);
  expect(line.trim().split('\n')).toHaveLength(1);
  expect(report).toMatchObject({
    mode: 'simulated',
    docs: `${report.api}/docs`,
    tokens: { manager: 'sandbox-manager-token-00000001' },
    guilds: expect.arrayContaining([{ id: '1197038439483310086', name: 'हिंदी गेमर्स' }]),
    database: join(folder.path, 'data', 'guild-settings.db'),
    botDatabase: join(folder.path, 'data', 'bot.db'),
  });
  for (const address of [report.docs, report.openapi, report.chat, `${report.health}/readyz`])
    expect((await fetch(address)).status).toBe(200);
  expect(await paste(report.examples[0])).toMatchObject({ status: 200 });
});

test.each([['--help'], ['-h'], ['--', '--help']])('%s explains the options and the environment', async (...args) => {
  using folder = temporaryFolder();
  await using sandbox = runSandbox({ folder: folder.path, args });
  expect((await sandbox.exited).code).toBe(0);
  for (const word of ['--json', 'SIM_PORT', 'HEALTH_PORT', 'DATABASE_URL', 'BOT_DATABASE_URL', 'DISCORD_BOT_TOKEN']) {
    expect(sandbox.stdout()).toContain(word);
  }
});

test('an unknown option is named, with exit code 2', async () => {
  using folder = temporaryFolder();
  await using sandbox = runSandbox({ folder: folder.path, args: ['--colour'] });
  expect((await sandbox.exited).code).toBe(2);
  expect(sandbox.stderr()).toMatch(/Unknown option '--colour'[\s\S]*--help/);
});

test('every bad key of the environment is named, with exit code 1', async () => {
  using folder = temporaryFolder();
  await using sandbox = runSandbox({ folder: folder.path, env: { PORT: 'high', SIM_PORT: '70000' } });
  expect((await sandbox.exited).code).toBe(1);
  expect(sandbox.stderr()).toBe(
    'The environment is not usable:\n' +
      '  PORT: expected an integer from 0 to 65535; received "high"\n' +
      '  SIM_PORT: expected a port; received "70000"\n',
  );
});

test.each(['PORT', 'SIM_PORT', 'HEALTH_PORT'])(
  'a taken %s is named with the way out, and nothing is left running',
  async (variable) => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    using folder = temporaryFolder();
    await using sandbox = runSandbox({ folder: folder.path, env: { [variable]: String(port) } });
    expect((await sandbox.exited).code).toBe(1);
    other.close();
    expect(sandbox.stdout()).toBe('');
    expect(sandbox.stderr()).toContain(`Port ${port} is taken, so `);
    expect(sandbox.stderr()).toMatch(new RegExp(`choose another: .*\\b${variable}=\\d+ .*npx --yes pnpm@12 start\n$`));
  },
);

test('with DISCORD_APPLICATION_ID it runs the api against that Discord, and says so', async () => {
  await using discord = await startDiscordSim();
  const applicationId = '1100000000000000001';
  const user = { id: '1200000000000000001', username: 'own' };
  discord.world.addApplication({ id: applicationId, clientSecret: 'own-secret' });
  discord.world.addUser(user);
  discord.world.addGuild({ id: '1300000000000000001', name: 'Own guild', ownerId: user.id });
  const { accessToken } = discord.world.issueUserToken({
    userId: user.id,
    applicationId,
    scopes: ['identify', 'guilds'],
  });

  using folder = temporaryFolder();
  const env = { DISCORD_APPLICATION_ID: applicationId, DISCORD_API_URL: discord.apiUrl };
  await using sandbox = runSandbox({ folder: folder.path, env });
  const report = await sandbox.printed(STARTED);
  expect(report).toContain('real Discord');
  expect(report).not.toContain('sandbox-manager-token');
  const [line = ''] = curlLines(report);
  const pasted = line.replace('<guild id>', '1300000000000000001').replace('<access token>', accessToken);
  expect(await paste(pasted)).toMatchObject({ status: 200, body: { name: 'Own guild' } });
  sandbox.signal('SIGTERM');
  expect((await sandbox.exited).code).toBe(0);
});

test('some other DISCORD_ variable without an application is refused, with the way back to the sandbox', async () => {
  using folder = temporaryFolder();
  await using sandbox = runSandbox({ folder: folder.path, env: { DISCORD_BOT_TOKEN: 'very-secret' } });
  expect((await sandbox.exited).code).toBe(1);
  expect(sandbox.stderr()).toMatch(/DISCORD_APPLICATION_ID[\s\S]*Unset every DISCORD_\* variable/);
  expect(sandbox.stderr()).not.toContain('very-secret');
});

test.each(['SIGTERM', 'SIGINT'] as const)(
  '%s stops everything with exit code 0, even when it comes twice',
  async (signal) => {
    using folder = temporaryFolder();
    await using sandbox = runSandbox({ folder: folder.path, args: ['--json'] });
    const { api, discord } = JSON.parse(await sandbox.printed('\n'));
    await fetch(`${api}/healthz`);
    sandbox.signal(signal);
    sandbox.signal(signal);
    expect((await sandbox.exited).code).toBe(0);
    await expect(fetch(`${api}/healthz`)).rejects.toThrow('fetch failed');
    await expect(fetch(discord.apiUrl)).rejects.toThrow('fetch failed');
  },
);

test('a database that was lost keeps it from starting, in a line, until --new is given', async () => {
  using folder = temporaryFolder();
  const database = join(folder.path, 'data', 'guild-settings.db');
  {
    await using first = runSandbox({ folder: folder.path });
    await first.printed(STARTED);
  }
  for (const suffix of ['', '-wal', '-shm']) await rm(`${database}${suffix}`, { force: true });
  await using refused = runSandbox({ folder: folder.path });
  expect((await refused.exited).code).toBe(1);
  expect(refused.stderr().trim().split('\n')).toHaveLength(1);
  expect(refused.stderr()).toContain('--new');
  await using sandbox = runSandbox({ folder: folder.path, args: ['--new'] });
  await sandbox.printed(STARTED);
});
