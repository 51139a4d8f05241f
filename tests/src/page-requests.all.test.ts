import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { GUILDS, tokenOf } from '@guild-settings/discord-sim/testing/world';
import { openReplica } from '@guild-settings/replica';
import { temporaryFolder } from '@guild-settings/testing';
import { expect, test } from 'vitest';
import { startTestSandbox, type TestSandbox } from './testing/test-sandbox.ts';

const API_URL = 'http://127.0.0.1:3000';

test('the requests of docs/history.md, docs/features.md and docs/access.md return the responses that they show', async () => {
  await using sandbox = await startTestSandbox();
  await reportGuilds(sandbox);
  await expectResponsesOf('history.md', sandbox);
  await expectResponsesOf('features.md', sandbox);
  await expectResponsesOf('access.md', sandbox);
});

test('the requests of docs/live.md return the responses that it shows, with a bot of one process', async () => {
  await using sandbox = await startTestSandbox();
  await reportGuilds(sandbox);
  using folder = temporaryFolder();
  const replica = openReplica({
    apiUrl: sandbox.apiUrl,
    credentials: tokenOf('application'),
    path: `${folder.path}/replica.db`,
    name: 'bot-1',
  });
  try {
    await replica.waitUntilLive();
    await expectResponsesOf('live.md', sandbox);
  } finally {
    await replica.close();
  }
});

/** Runs each command of a page, one after another, and compares its output. */
async function expectResponsesOf(name: string, { apiUrl }: TestSandbox): Promise<void> {
  const page = await readFile(new URL(`../../docs/${name}`, import.meta.url), 'utf8');
  const [, variables = ''] = /```bash\n(guild=[\s\S]*?)```/.exec(page) ?? [];
  const steps = [...page.matchAll(/```console\n([\s\S]*?)```/g)].flatMap(([, block = '']) =>
    block.split(/^\$ /m).slice(1),
  );
  expect(steps.length).toBeGreaterThanOrEqual(3);
  for (const step of steps) {
    const [command = '', ...shown] = step.split('\n');
    const script = `${variables}\n${command}`.replaceAll(API_URL, apiUrl);
    const { stdout } = await promisify(execFile)('bash', ['-c', script]);
    expect(withoutTimes(stdout.replaceAll('\r', '')), command).toBe(withoutTimes(shown.join('\n')));
  }
}

/** Reports the guilds like the bot of the sandbox at its start: one change per guild. */
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
  return text
    .trim()
    .replaceAll(/"(at|since)":"[^"]+"/g, '"$1":"a time"')
    .replaceAll(/(latency=|"latencyMs":)[\d.]+/g, '$1some');
}
