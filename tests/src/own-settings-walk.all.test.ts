import { chmodSync, copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { GUILDS } from '@guild-settings/discord-sim/testing/world';
import { runProgramToEnd, temporaryFolder } from '@guild-settings/testing';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { callApi } from './testing/call-api.ts';
import { PERSON } from './testing/fresh-clone.ts';
import { runShellCommand, startShellCommand } from './testing/shell-command.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const EXAMPLE = `${ROOT}examples/own-settings`;
const TSC = createRequire(`${EXAMPLE}/package.json`)
  .resolve('typescript/package.json')
  .replace('package.json', 'bin/tsc');

/** Runs a script of package.json as `npx --yes pnpm@12` does, but for the builds, which are made before the tests. */
const NPX = `#!/usr/bin/env -S ${process.execPath} --conditions=@guild-settings/source --enable-source-maps
const [, pnpm, ...words] = process.argv.slice(2);
const [name, ...rest] = words[0] === 'run' ? words.slice(1) : words;
const { scripts } = require(${JSON.stringify(`${ROOT}package.json`)});
const program = ${JSON.stringify(ROOT)} + scripts[name].split(' ').at(-1);
process.argv = [process.execPath, program, ...rest];
if (pnpm === 'pnpm@12') import(program);
`;

/** Returns the blocks of code in the walk of docs/own-settings.md. */
function readWalk() {
  const page = readFileSync(`${ROOT}docs/own-settings.md`, 'utf8');
  const [, walk = ''] = /\n## From a keyv file to typed reads\n([\s\S]*?)\n## /.exec(page) ?? [];
  const blocks = [...walk.matchAll(/```(\w+)\n([\s\S]*?)```/g)];
  const of = (language: string) => blocks.filter(([, name]) => name === language).map(([, , code = '']) => code);
  const [text, console, bash, ts] = ['text', 'console', 'bash', 'ts'].map(of) as [
    string[],
    string[],
    string[],
    string[],
  ];
  expect([text, console, bash, ts].map(({ length }) => length)).toEqual([1, 1, 2, 2]);
  return { rows: text[0], check: console[0], start: bash[0], imports: bash[1], declaration: ts[0], bot: ts[1] };
}

/** Returns what the file of the example has: keyv 5 and @keyv/sqlite 4 have written it. */
function readKeyv(): string {
  using file = Object.assign(new Database(`${EXAMPLE}/keyv.sqlite`, { readonly: true }), {
    [Symbol.dispose]: () => file.close(),
  });
  const rows = file.prepare<[], { key: string; value: string }>('SELECT key, value FROM keyv ORDER BY key').all();
  return rows
    .map(({ key, value }) => `${key.slice('keyv:'.length)} ${JSON.stringify(JSON.parse(value).value)}\n`)
    .join('');
}

test('docs/own-settings.md leads from a keyv file to typed reads, command by command', async () => {
  using folder = temporaryFolder();
  const [cwd, bin, own] = ['guild-settings', 'bin', 'my-bot'].map(folder.file) as [string, string, string];
  for (const path of [cwd, bin, own]) mkdirSync(path);
  symlinkSync(`${ROOT}examples`, `${cwd}/examples`);
  writeFileSync(`${bin}/npx`, NPX);
  chmodSync(`${bin}/npx`, 0o755);
  const walk = readWalk();
  const env = { PATH: `${bin}:${PERSON.PATH}`, PORT: '0', SIM_PORT: '0', HEALTH_PORT: '0', DASHBOARD_PORT: '0' };

  expect(readKeyv()).toBe(walk.rows);
  writeFileSync(`${cwd}/settings.ts`, walk.declaration ?? '');
  const [, command = '', shown] = /^\$ (.*)\n([\s\S]*)$/.exec(walk.check ?? '') ?? [];
  expect(await runShellCommand(command, { cwd, env })).toMatchObject({ code: 0, stdout: shown, stderr: '' });

  await using service = startShellCommand(walk.start?.trim() ?? '', { cwd, env });
  const [report] = await service.printed(/[\s\S]*Stop with Ctrl-C\./);
  const [, apiUrl = ''] = /(http:\/\/127\.0\.0\.1:\d+)\/guilds/.exec(report) ?? [];
  const [, chatUrl = ''] = /(http:\/\/127\.0\.0\.1:\d+)\/chat/.exec(report) ?? [];
  const here = (code = '') =>
    code.replaceAll('http://127.0.0.1:3000', apiUrl).replaceAll('http://127.0.0.1:3001', chatUrl);

  const lines = here(walk.imports).trim().split('\n');
  const [dryRun, real] = lines.filter((line) => line.startsWith('npx '));
  const variables = lines.filter((line) => !line.startsWith('npx '));
  const runImport = (line = '') =>
    runShellCommand([...variables, line].join('\n'), { cwd, env: { ...env, API_URL: apiUrl } });
  const custom = async (guild: string) =>
    ((await (await callApi(apiUrl, 'manager', { path: `/guilds/${guild}` })).json()) as { custom: object }).custom;
  const [{ id: guild, channels }, , { id: other } = { id: '' }] = GUILDS;
  const before = await custom(guild);

  const planned = await runImport(dryRun);
  expect(planned.code, planned.stderr).toBe(3);
  expect(planned.stdout + planned.stderr).toContain('custom.xpRate: expected at most 100');
  expect(planned.stdout + planned.stderr).toContain('custom.cooldown: expected seconds');
  expect(planned.stdout + planned.stderr).toContain('values of other rows: 2');
  expect(await custom(guild)).toEqual(before);
  const imported = await runImport(real);
  expect(imported.stdout + imported.stderr).toContain('values of other rows: 1');
  const welcome = { welcomeOn: true, welcomeMessage: 'Hello {user}', modLogChannel: channels.announcements };
  expect(await custom(guild)).toEqual({ ...before, ...welcome, xpRate: 20, cooldown: 600, logLevel: 'all' });
  expect(await custom(other)).toEqual({ ...before, welcomeMessage: 'Hi', xpRate: 100 });

  for (const file of ['package.json', 'tsconfig.json']) copyFileSync(`${EXAMPLE}/${file}`, `${own}/${file}`);
  copyFileSync(`${cwd}/settings.ts`, `${own}/settings.ts`);
  symlinkSync(`${EXAMPLE}/node_modules`, `${own}/node_modules`);
  mkdirSync(`${own}/data`);
  writeFileSync(`${own}/bot.ts`, `${here(walk.bot)}await replica.close();\n`);
  await runProgramToEnd({ args: [TSC], cwd: own });
  const read = await runProgramToEnd({ args: ['dist/bot.js'], cwd: own });
  expect(read.stdout.trim()).toBe(/console\.log\(.*\); \/\/ (.*)/.exec(walk.bot ?? '')?.[1]);
});
