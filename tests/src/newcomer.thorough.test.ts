import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FreshClone, freshClone } from './testing/fresh-clone.ts';
import { runShellCommand, type ShellCommand, startShellCommand, stillRunning } from './testing/shell-command.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const README = readFileSync(join(ROOT, 'README.md'), 'utf8');

const ANY_PORTS = { PORT: '0', SIM_PORT: '0', HEALTH_PORT: '0' };

/** Returns the commands in a page's console blocks, in order. A trailing comment is removed. */
function commandsOf(page: string): string[] {
  const blocks = [...page.matchAll(/```bash\n([\s\S]*?)```/g)].map(([, block = '']) => block);
  return blocks.flatMap((block) => block.split('\n')).map((line) => line.replace(/\s+#.*$/, '').trim());
}

function commandOf(page: string, pattern: RegExp): string {
  const found = [...new Set(commandsOf(page).filter((line) => pattern.test(line)))];
  expect(found, String(pattern)).toHaveLength(1);
  return found[0] ?? '';
}

let clone: FreshClone;
beforeAll(async () => {
  clone = await freshClone();
});
afterAll(() => {
  clone?.[Symbol.dispose]();
});

const inClone = (line: string, env: NodeJS.ProcessEnv = {}) => runShellCommand(line, { cwd: clone.path, env });

/** Starts the sandbox with the command in the README. */
function start(): ShellCommand {
  return startShellCommand(commandOf(README, /^npx --yes pnpm@12 start$/), { cwd: clone.path, env: ANY_PORTS });
}

const reportOf = async (sandbox: ShellCommand) =>
  (await sandbox.waitForOutput(/The guild-settings sandbox is running[\s\S]*Stop with Ctrl-C\./))[0];

/** Runs the requests of the README against a running sandbox and returns their statuses. */
async function requestsOfReadme(report: string): Promise<string[]> {
  const [, apiUrl = ''] = /^ {2}api +(\S+)$/m.exec(report) ?? [];
  const statuses: string[] = [];
  for (const [, request = ''] of README.matchAll(/```console\n\$ (curl -s .*)$/gm)) {
    const { stdout } = await inClone(
      `${request.replace('http://127.0.0.1:3000', apiUrl)} --output /dev/null --write-out '%{http_code}'`,
    );
    statuses.push(stdout);
  }
  return statuses;
}

describe('in a fresh clone', () => {
  test('`start` installs, builds and starts without a line of its tools, and ends with npx on SIGTERM', async () => {
    await using command = start();
    const report = await reportOf(command);
    // Neither pnpm, turbo nor gyp prints anything.
    expect(command.output().replace(report, '').trim()).toMatch(/^(?:Building, which [^\n]*)?$/);
    expect(await requestsOfReadme(report)).toStrictEqual(['200']);
    const pids = await command.pids();
    expect(pids.length).toBeGreaterThan(3);
    process.kill(command.pid, 'SIGTERM');
    await command.exited;
    await expect.poll(() => stillRunning(pids)).toStrictEqual([]);
  });

  test('what `start` suggests works after the README has changed the prefix, and SIGINT of its group ends everything', async () => {
    await using command = start();
    const report = await reportOf(command);
    expect(report).toContain('opens as Mika in Discord Testers: send /help');
    const lines = [...report.matchAll(/^ {2}(curl .*)$/gm)].map(([, line = '']) => line);
    const answers: string[] = [];
    for (const line of lines) answers.push((await inClone(line)).stdout);
    expect(answers.map((answer) => answer.slice(0, 'HTTP/1.1 200'.length))).toStrictEqual([
      'HTTP/1.1 200',
      'HTTP/1.1 200',
      'HTTP/1.1 403',
    ]);
    expect(answers[0]).toContain('"prefix":"?"');
    const pids = await command.pids();
    process.kill(-command.pid, 'SIGINT');
    await command.exited;
    await expect.poll(() => stillRunning(pids)).toStrictEqual([]);
  });
});
