import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { findPackageJSON } from 'node:module';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startProgram } from '@guild-settings/testing';
import { expect, test } from 'vitest';
import { startTestSandbox } from './testing/test-sandbox.ts';

const README = await readFile(new URL('../../README.md', import.meta.url), 'utf8');
const API_URL = 'http://127.0.0.1:3000';

test("the README's requests return the responses that it shows", async () => {
  await using sandbox = await startTestSandbox({}, true);
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
    new URL('./testing/readme/settings.ts', import.meta.url),
    new URL('./testing/readme/bot.ts', import.meta.url),
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

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

test('a settings.ts in the folder of the repository, where the pages have it, finds what it imports', async () => {
  const page = await readFile(`${ROOT}docs/own-settings.md`, 'utf8');
  const [, imported = ''] = /^import \{ defineSettings \} from '(.+)';$/m.exec(page) ?? [];
  const found = findPackageJSON(imported, new URL('../../settings.ts', import.meta.url)) ?? '';
  expect(JSON.parse(await readFile(found, 'utf8'))).toMatchObject({ name: imported });
});

/** Makes a process see the version of an older Node. */
const OLDER = `data:text/javascript,Object.defineProperty(process.versions, 'node', { value: '24.10.0' })`;

test.each(['run.mjs', 'test.mjs'])('scripts/%s says in one sentence which Node is missing', async (script) => {
  const args = ['--import', OLDER, `scripts/${script}`, 'apps/sandbox/dist/main.js'];
  const { code, stdout, stderr } = await startProgram({ args, cwd: ROOT }).finished();
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(
    /^Expected Node \^22\.19 \|\| \^24\.11 \|\| >=26, received 24\.10\.0: run .* or install Node 26 .*\.\n$/,
  );
});
