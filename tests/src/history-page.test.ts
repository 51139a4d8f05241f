import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { GUILDS, tokenOf } from '@guild-settings/sandbox/world';
import { expect, test } from 'vitest';
import { startTestSandbox, type TestSandbox } from './testing/test-sandbox.ts';

const PAGE = await readFile(new URL('../../docs/history.md', import.meta.url), 'utf8');
const API_URL = 'http://127.0.0.1:3000';
const [, VARIABLES = ''] = /```bash\n(guild=[\s\S]*?)```/.exec(PAGE) ?? [];

test('the requests of docs/history.md return the responses that it shows', async () => {
  await using sandbox = await startTestSandbox();
  await reportGuilds(sandbox);
  const steps = [...PAGE.matchAll(/```console\n([\s\S]*?)```/g)].flatMap(([, block = '']) =>
    block.split(/^\$ /m).slice(1),
  );
  expect(steps.length).toBeGreaterThan(5);
  for (const step of steps) {
    const [command = '', ...shown] = step.split('\n');
    const script = `${VARIABLES}\n${command}`.replace(API_URL, sandbox.apiUrl);
    const { stdout } = await promisify(execFile)('bash', ['-c', script]);
    expect(withoutTimes(stdout), command).toBe(withoutTimes(shown.join('\n').trim()));
  }
});

/** Reports the guilds as the bot of the sandbox does when it starts: a change of each. */
async function reportGuilds({ apiUrl }: TestSandbox): Promise<void> {
  const guilds = GUILDS.map(({ id, name, icon }) => ({ id, name, icon }));
  const response = await fetch(`${apiUrl}/trpc/presence.report`, {
    method: 'POST',
    headers: { authorization: `Bearer ${tokenOf('application')}`, 'content-type': 'application/json' },
    body: JSON.stringify({ type: 'snapshot', shard: { id: 0, count: 1 }, guilds }),
  });
  expect(response.status, await response.text()).toBe(200);
}

function withoutTimes(text: string): string {
  return text.replaceAll(/"at":"[^"]+"/g, '"at":"a time"');
}
