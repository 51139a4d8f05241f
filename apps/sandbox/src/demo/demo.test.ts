import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { temporaryFolder } from '@guild-settings/testing';
import { expect, test } from 'vitest';
import { runSandbox } from '../testing/sandbox-process.ts';
import { GUILDS, tokenOf } from '../world.ts';
import { runScenario } from './scenario.ts';
import { startDemoServices } from './services.ts';
import { UnexpectedResultError } from './users.ts';

test('the scenario runs as expected, with the milliseconds to the first use of each PATCH', async () => {
  using folder = temporaryFolder();
  await using demo = runSandbox({ program: 'demo/main.js', folder: folder.path });
  expect((await demo.exited).code, demo.stdout() + demo.stderr()).toBe(0);
  const transcript = demo.stdout();
  expect(transcript.match(/used by the bot [\d.]+ ms after the response to the PATCH/g)).toHaveLength(7);
  for (const text of ['Pong!', 'ポン！', 'पोंग!', 'Tea at five', 'the kettle', 'SIGKILL', 'All as it should be']) {
    expect(transcript).toContain(text);
  }
  expect(demo.stderr()).toBe('');
});

test('a scenario with an unexpected result ends there', async () => {
  await using services = await startDemoServices();
  await fetch(`${services.apiUrl}/guilds/${GUILDS[0].id}`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${tokenOf('owner')}`, 'content-type': 'application/json' },
    body: JSON.stringify({ prefix: '%' }),
  });
  const kinds: string[] = [];
  const scenario = runScenario(services, ({ kind }) => kinds.push(kind));
  await expect(scenario).rejects.toThrow(UnexpectedResultError);
  expect(kinds).toStrictEqual(['chapter', 'request']);
});

test('the demo exits 1 after an unexpected result, and leaves nothing running', async () => {
  using folder = temporaryFolder();
  await using demo = runSandbox({ program: 'demo/main.js', args: ['--json'], folder: folder.path });
  await demo.printed('Pong');
  const { stdout } = await promisify(execFile)('pgrep', ['-P', String(demo.pid), '-f', 'api/dist/main.js']);
  process.kill(Number(stdout), 'SIGKILL');
  expect((await demo.exited).code).toBe(1);
  await expect(promisify(execFile)('pgrep', ['-P', String(demo.pid)])).rejects.toThrow();
});

test.each([
  { args: ['--help'], code: 0, prints: '--json' },
  { args: ['--colour'], code: 2, prints: '--help' },
])('$args', async ({ args, code, prints }) => {
  using folder = temporaryFolder();
  await using demo = runSandbox({ program: 'demo/main.js', args, folder: folder.path });
  expect((await demo.exited).code).toBe(code);
  expect(demo.stdout() + demo.stderr()).toContain(prints);
});
