import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { temporaryFolder } from '@guild-settings/testing';
import { expect, test } from 'vitest';
import { runSandbox } from '../testing/sandbox-process.ts';

test('the demo exits 1 after an unexpected result, and leaves nothing running', async () => {
  using folder = temporaryFolder();
  await using demo = runSandbox({ program: 'src/demo/main.ts', args: ['--json'], folder: folder.path });
  await demo.printed('Pong');
  const { stdout } = await promisify(execFile)('pgrep', ['-P', String(demo.pid), '-f', 'api/dist/main.js']);
  process.kill(Number(stdout), 'SIGKILL');
  expect((await demo.exited).code).toBe(1);
  await expect(promisify(execFile)('pgrep', ['-P', String(demo.pid)])).rejects.toThrow();
});
