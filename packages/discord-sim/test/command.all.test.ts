import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Program, serveHttp, startProgram } from '@guild-settings/testing';
import { expect, test } from 'vitest';

const PROGRAM = fileURLToPath(new URL('../dist/main.js', import.meta.url));

function startCli(...args: readonly string[]): Program {
  return startProgram({ args: [PROGRAM, ...args] });
}

function readmeLine(pattern: RegExp): string {
  const lines = readFileSync(new URL('../README.md', import.meta.url), 'utf8').split('\n');
  return lines.find((line) => pattern.test(line)) ?? '';
}

/** Runs a line of the README as pasted by a reader, with the simulator at another port. */
async function pasted(line: string, url: string): Promise<string> {
  const { stdout } = await promisify(execFile)('bash', ['-c', line.replaceAll('http://127.0.0.1:3001', url)]);
  return stdout;
}

test('prints what a bot and a dashboard need, serves it, and stops on a signal', async () => {
  await using command = startCli('--', '--port', '0', '--json', '--redirect-uri', 'http://localhost:9999/back');
  const report = JSON.parse((await command.waitForOutput(/^.*\n/)).toString());
  const [application] = report.applications;
  expect(report).toMatchObject({
    url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    people: expect.arrayContaining([expect.objectContaining({ username: 'mika' })]),
    guilds: [{ name: 'Testers', channels: [{ name: 'general' }, { name: 'announcements' }] }],
  });
  expect(application.redirectUris).toContain('http://localhost:9999/back');
  for (const page of [report.authorizeUrl, report.chatUrl]) {
    expect((await fetch(page, { redirect: 'manual' })).status).toBe(200);
  }
  expect(await pasted(readmeLine(/^curl /), report.url)).toContain('{"location":"http://localhost:3000/callback?code=');
  const headers = { authorization: `Bot ${application.botToken}` };
  const guilds = await fetch(`${report.apiUrl}/users/@me/guilds`, { headers });
  expect(await guilds.json()).toMatchObject([{ name: 'Testers' }]);
  command.signal('SIGTERM');
  command.signal('SIGINT');
  const { code, signal } = await command.exited;
  // Node ends with the second signal if it arrives after the last of its handlers.
  expect([code ?? signal, command.stderr()]).toStrictEqual([signal === 'SIGINT' ? 'SIGINT' : 0, '']);
  await expect(fetch(report.url)).rejects.toThrow('fetch failed');
});

test('explains a port that is taken, with exit code 1', async () => {
  await using other = await serveHttp();
  const { port } = other;
  await using command = startCli('--port', String(port));
  const stderr = `Port ${port} is taken: choose another with --port.\n`;
  expect(await command.exited).toStrictEqual({ code: 1, signal: null });
  expect([command.stdout(), command.stderr()]).toStrictEqual(['', stderr]);
});
