import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { startTestSandbox } from './testing/test-sandbox.ts';

const README = await readFile(new URL('../../README.md', import.meta.url), 'utf8');
const API_URL = 'http://127.0.0.1:3000';

test("the README's requests return the responses that it shows", async () => {
  await using sandbox = await startTestSandbox();
  const requests = [...README.matchAll(/```console\n\$ (?<command>curl .*)\n(?<answer>.*)\n```/g)];
  expect(requests).toHaveLength(1);
  for (const { groups } of requests) {
    const command = groups?.command?.replace(API_URL, sandbox.apiUrl) ?? '';
    const { stdout } = await promisify(execFile)('bash', ['-c', command]);
    expect(stdout).toBe(groups?.answer);
  }
});

test("the README's TypeScript is in the modules that the type check reads", async () => {
  const modules = [
    new URL('./testing/readme-own-settings.ts', import.meta.url),
    new URL('./testing/readme-own-bot.ts', import.meta.url),
  ];
  const shown = [...README.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code);
  expect(shown).toEqual(await Promise.all(modules.map((module) => readFile(module, 'utf8'))));
});

test("the README's links lead somewhere", async () => {
  const links = [...README.matchAll(/\]\((?!http)(?<path>[^)]+)\)/g)].map(({ groups }) => groups?.path ?? '');
  expect(links.length).toBeGreaterThan(5);
  const { access } = await import('node:fs/promises');
  for (const path of links) await access(new URL(`../../${path}`, import.meta.url));
});
