import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { temporaryFolder } from '@guild-settings/testing';
import { expect, test } from 'vitest';
import { runSandbox } from '../testing/sandbox-process.ts';
import { GUILDS, tokenOf } from '../world.ts';
import { StoryDiffersError } from './actors.ts';
import { setStage } from './stage.ts';
import { tellStory } from './story.ts';

test('the story comes out as it is told, with the milliseconds to the first use of each PATCH', {
  timeout: 60_000,
}, async () => {
  using folder = temporaryFolder();
  await using demo = runSandbox({ program: 'demo/main.js', folder: folder.path });
  expect((await demo.exited).code, demo.stdout() + demo.stderr()).toBe(0);
  const transcript = demo.stdout();
  expect(transcript.match(/used by the bot [\d.]+ ms after the answer to the PATCH/g)).toHaveLength(7);
  for (const said of ['Pong!', 'ポン！', 'पोंग!', 'Tea at five', 'the kettle', 'SIGKILL', 'All as it should be']) {
    expect(transcript).toContain(said);
  }
  expect(demo.stderr()).toBe('');
});

test('a story that comes out otherwise is told up to there', { timeout: 30_000 }, async () => {
  await using stage = await setStage();
  await fetch(`${stage.apiUrl}/guilds/${GUILDS[0].id}`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${tokenOf('owner')}`, 'content-type': 'application/json' },
    body: JSON.stringify({ prefix: '%' }),
  });
  const told: string[] = [];
  const story = tellStory(stage, ({ kind }) => told.push(kind));
  await expect(story).rejects.toThrow(StoryDiffersError);
  expect(told).toStrictEqual(['chapter', 'request']);
});

test('the demo exits 1 when a step comes out otherwise, and leaves nothing running', { timeout: 60_000 }, async () => {
  using folder = temporaryFolder();
  await using demo = runSandbox({ program: 'demo/main.js', args: ['--json'], folder: folder.path });
  await demo.printed('Pong');
  const { stdout } = await promisify(execFile)('pgrep', ['-P', String(demo.pid), '-f', 'api/dist/main.js']);
  process.kill(Number(stdout), 'SIGKILL');
  expect((await demo.exited).code).toBe(1);
  await expect(promisify(execFile)('pgrep', ['-P', String(demo.pid)])).rejects.toThrow();
});

test.each([
  { args: ['--help'], code: 0, says: '--json' },
  { args: ['--colour'], code: 2, says: '--help' },
])('$args', async ({ args, code, says }) => {
  using folder = temporaryFolder();
  await using demo = runSandbox({ program: 'demo/main.js', args, folder: folder.path });
  expect((await demo.exited).code).toBe(code);
  expect(demo.stdout() + demo.stderr()).toContain(says);
});
