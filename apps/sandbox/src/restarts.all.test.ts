import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { GUILDS, PEOPLE, type SandboxGuild, tokenOf } from '@guild-settings/discord-sim/testing/world';
import { temporaryFolder } from '@guild-settings/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { curlLines, runCurl, runSandbox, type SandboxProcess, STARTED } from './testing/sandbox-process.ts';

// A start takes seconds of CPU time: the tests share a folder and its starts, and run in order.
const folder = temporaryFolder();
afterAll(() => folder[Symbol.dispose]());

const DATABASE = folder.file('data/guild-settings.db');

/** Sends a signal twice, and expects that the process exits with 0 and that none of its servers remains. */
async function expectStop(sandbox: SandboxProcess, signal: NodeJS.Signals): Promise<void> {
  const urls = new Set(sandbox.stdout().match(/http:\/\/127\.0\.0\.1:\d+/g));
  expect(urls.size).toBe(3);
  for (const url of urls) await fetch(url);
  sandbox.signal(signal);
  sandbox.signal(signal);
  expect((await sandbox.exited).code).toBe(0);
  for (const url of urls) await expect(fetch(url)).rejects.toThrow('fetch failed');
}

describe('the first start', () => {
  let sandbox: SandboxProcess;
  let report: string;
  beforeAll(async () => {
    sandbox = runSandbox({ folder: folder.path });
    report = await sandbox.printed(STARTED);
  });
  afterAll(() => sandbox[Symbol.asyncDispose]());

  test('prints three curl lines that work: a read, a change and a refusal', async () => {
    const lines = curlLines(report);
    expect(lines).toHaveLength(3);
    const [read = '', change = '', refusal = ''] = lines;
    const guild = { id: '197038439483310086', name: 'Discord Testers', prefix: '!', language: 'en-US' };
    expect(await runCurl(read)).toMatchObject({ status: 200, body: guild });
    expect(await runCurl(change)).toMatchObject({ status: 200, body: { ...guild, prefix: '?', language: 'ja' } });
    expect(await runCurl(refusal)).toMatchObject({ status: 403, body: { type: '/problems/not-guild-manager' } });
  });

  test('prints nothing but its report, while it serves', () => {
    expect(sandbox.stdout().trim()).toBe(report.trim());
    expect(sandbox.stderr()).toBe('');
  });

  test('SIGTERM stops everything with exit code 0, even when it comes twice', async () => {
    await expectStop(sandbox, 'SIGTERM');
    expect(existsSync(DATABASE)).toBe(true);
  });
});

describe('the second start, with --json', () => {
  let sandbox: SandboxProcess;
  let line: string;
  beforeAll(async () => {
    sandbox = runSandbox({ folder: folder.path, args: ['--json'] });
    line = await sandbox.printed('\n');
  });
  afterAll(() => sandbox[Symbol.asyncDispose]());

  test('prints one line of JSON instead', async () => {
    const report = JSON.parse(line);
    expect(line.trim().split('\n')).toHaveLength(1);
    expect(report).toMatchObject({
      mode: 'simulated',
      dashboard: report.api,
      docs: `${report.api.replace('127.0.0.1', 'localhost')}/docs`,
      tokens: { manager: 'sandbox-manager-token-00000001' },
      guilds: expect.arrayContaining([{ id: '1197038439483310086', name: 'हिंदी गेमर्स' }]),
      database: DATABASE,
      botDatabase: folder.file('data/bot.db'),
    });
    for (const address of [report.docs, report.openapi, report.chat, `${report.api}/readyz`, `${report.health}/readyz`])
      expect((await fetch(address)).status).toBe(200);
  });

  test('keeps settings, ids and tokens of the first start', async () => {
    const [read] = JSON.parse(line).examples;
    expect(await runCurl(read)).toMatchObject({ status: 200, body: { prefix: '?', language: 'ja' } });
  });

  test('in the chat the bot answers, by what was changed over REST a moment before', async () => {
    const { api, chat } = JSON.parse(line);
    const [, { id, channels }] = GUILDS as readonly [SandboxGuild, SandboxGuild];
    const channel = `${chat}/people/${PEOPLE.member.id}/channels/${channels.general}/messages`;
    const write = (content: string) =>
      fetch(channel, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ content }),
      });
    const read = async () => JSON.stringify(await (await fetch(channel)).json());
    expect((await write('!help')).status).toBe(201);
    await expect.poll(read).toContain('Lists the commands');
    const changed = await fetch(`${api}/guilds/${id}`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${tokenOf('manager')}`, 'content-type': 'application/json' },
      body: JSON.stringify({ prefix: '?', language: 'ja' }),
    });
    expect(changed.status).toBe(200);
    await expect
      .poll(async () => {
        await write('?help');
        return read();
      })
      .toContain('コマンドの一覧');
  });

  test('SIGINT stops everything with exit code 0, even when it comes twice', () => expectStop(sandbox, 'SIGINT'));
});

test('a database that was lost keeps it from starting, in a line, until --new is given', async () => {
  for (const suffix of ['', '-wal', '-shm']) await rm(`${DATABASE}${suffix}`, { force: true });
  await using refused = runSandbox({ folder: folder.path });
  expect((await refused.exited).code).toBe(1);
  expect(refused.stderr().trim().split('\n')).toHaveLength(1);
  expect(refused.stderr()).toContain('--new');
  await using sandbox = runSandbox({ folder: folder.path, args: ['--new'] });
  await sandbox.printed(STARTED);
});
