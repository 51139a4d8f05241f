import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { GUILDS, PEOPLE, tokenOf } from '@guild-settings/discord-sim/testing/world';
import {
  fetchNode,
  runProgramToEnd,
  startProgram,
  type TemporaryFolder,
  temporaryFolder,
  waitUntil,
} from '@guild-settings/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestSandbox } from './testing/test-sandbox.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PACKAGES = ['contract', 'client', 'replica', 'discord', 'discord-sim'] as const;

/** A program of another project that uses each package. */
const PROGRAM = `
import { createGuildSettingsClient, hasProblem, watch } from '@guild-settings/client';
import { type Guild, GuildId } from '@guild-settings/contract';
import { settingsCommandData } from '@guild-settings/discord';
import { startDiscordSim } from '@guild-settings/discord-sim';
import { openReplica } from '@guild-settings/replica';

const [url = '', manager = '', application = '', guild = ''] = process.argv.slice(2);
const settings = createGuildSettingsClient({ url, token: manager });
const changed: Guild = await settings.guilds.update.mutate({ guild: GuildId.parse(guild), prefix: '%' });
const refused = await settings.guilds.get.query({ guild: '1' }).catch((error: unknown) => error);
const stop = new AbortController();
for await (const { event } of watch({ url, token: application, signal: stop.signal })) {
  if (event.type === 'live') stop.abort();
}
const replica = openReplica({ apiUrl: url, credentials: application, path: 'replica.db' });
await replica.waitUntilLive();
const { prefix } = replica.get(guild);
await replica.close();
const discord = await startDiscordSim();
const { status } = await fetch(discord.chatUrl);
await discord.close();
const problem = hasProblem(refused, 'invalid-request');
console.log(JSON.stringify([changed.prefix, prefix, problem, status, settingsCommandData().name]));
`;

const WRONG_PROGRAM = `
import { createGuildSettingsClient } from '@guild-settings/client';
import { openReplica } from '@guild-settings/replica';
const guild = '1';
const settings = createGuildSettingsClient({ url: 'http://127.0.0.1', token: 'token' });
settings.nonsense.foo(); // wrong
settings.guilds.get.mutate({ guild }); // wrong
settings.guilds.get.query({ guild: 1 }); // wrong
settings.guilds.update.mutate({ guild, prefix: '?' });
settings.guilds.update.mutate({ guild, colour: 'red' }); // wrong
settings.guilds.update.mutate({ guild, language: 'de' }); // wrong
(await settings.guilds.get.query({ guild })).nonsense; // wrong
const replica = openReplica({ apiUrl: 'http://127.0.0.1', credentials: 'token', path: 'wrong.db' });
openReplica({ apiUrl: 'http://127.0.0.1', path: 'wrong.db' }); // wrong
replica.get(guild).nonsense; // wrong
replica.get(guild).prefix = '?'; // wrong
replica.on('nonsense', () => {}); // wrong
`;

const run = promisify(execFile);

const [TYPES_OF_NODE] =
  /(?<=^ {2}"@types\/node": ).+$/m.exec(readFileSync(join(ROOT, 'pnpm-workspace.yaml'), 'utf8')) ?? [];

/** The oldest supported Node, and the newest of each line. */
const NODES = ['22.19', '22', '24', '26'];

let nodes: readonly string[];
let folder: TemporaryFolder;

beforeAll(async () => {
  nodes = await Promise.all(NODES.map(fetchNode));
  folder = temporaryFolder();
  await runProgramToEnd({ args: [join(ROOT, 'scripts/pack.mjs'), folder.path], env: process.env });
  const tarballs = (await readdir(folder.path)).filter((file) => file.endsWith('.tgz'));
  expect(tarballs).toHaveLength(PACKAGES.length);
  const project = {
    type: 'module',
    private: true,
    dependencies: Object.fromEntries(tarballs.map((file) => [nameOf(file), `file:${file}`])),
    devDependencies: { '@types/node': TYPES_OF_NODE },
  };
  await writeFile(join(folder.path, 'package.json'), JSON.stringify(project));
  await writeFile(join(folder.path, 'pnpm-workspace.yaml'), '{}');
  await writeFile(join(folder.path, 'program.ts'), PROGRAM);
  await writeFile(join(folder.path, 'wrong.ts'), WRONG_PROGRAM);
  // Each package only finds its own dependencies.
  await run('npx', ['--yes', 'pnpm@12', 'install', '--prefer-offline', '--ignore-scripts'], { cwd: folder.path });
});

afterAll(() => folder[Symbol.dispose]());

const nameOf = (tarball: string) => `@guild-settings/${/^guild-settings-(.+)-[\d.]+\.tgz$/.exec(tarball)?.[1]}`;

async function compile(project: string, files: readonly string[], module: readonly string[]): Promise<string> {
  const options = ['--strict', '--skipLibCheck', 'false', '--target', 'es2024', '--types', 'node', '--checkers', '1'];
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  const args = [tsc, ...options, ...module, ...files];
  return (await startProgram({ args, cwd: project }).finished()).stdout;
}

test('a tarball holds built code, types, README and licence, and neither sources, tests nor modules that are gone', async () => {
  for (const name of PACKAGES) {
    const files = await readdir(join(folder.path, 'node_modules/@guild-settings', name), { recursive: true });
    expect(files, name).toEqual(expect.arrayContaining(['README.md', 'LICENSE', 'dist/index.js', 'dist/index.d.ts']));
    const others = files.filter((file) =>
      /(?:^|\/)src\/|\.test\.|\/testing\/|\.map$|tsbuildinfo|(?<!\.d)\.ts$/.test(file),
    );
    expect(others, name).toStrictEqual([]);
    const modules = files.filter((file) => /^dist\/.*\.js$/.test(file));
    const sources = modules.map((file) =>
      file.replace(/^dist\/(?:bundled\/([^/]+)\/)?/, (_, bundled = name) => `${bundled}/src/`).replace(/js$/, 'ts'),
    );
    expect(sources.filter((source) => !existsSync(join(ROOT, 'packages', source)))).toStrictEqual([]);
  }
});

test('neither the frameworks that tRPC has adapters for nor the api come with the packages', async () => {
  const folders = await readdir(join(folder.path, 'node_modules/.pnpm'));
  const installed = folders.map((one) => /^(.[^@]*)@/.exec(one)?.[1]);
  expect(installed).toEqual(expect.arrayContaining(['fastify', '@trpc+server']));
  for (const name of ['express', 'koa', 'next', 'trpc-to-openapi', 'pg', '@guild-settings+api']) {
    expect(installed, name).not.toContain(name);
  }
});

test.each([[['--module', 'esnext', '--moduleResolution', 'bundler']], [['--module', 'nodenext']]])(
  'a program compiles with %j, but for its wrong calls, and runs',
  async (module) => {
    const report = await compile(folder.path, ['program.ts', 'wrong.ts'], module);
    const errors = report.split('\n').filter((line) => !/^ |^$/.test(line));
    const lines = errors.map((error) => /^wrong\.ts\((\d+),/.exec(error)?.[1] ?? error);
    const expected = WRONG_PROGRAM.split('\n').flatMap((line, index) =>
      line.endsWith('// wrong') ? [`${index + 1}`] : [],
    );
    expect([...new Set(lines)], report).toStrictEqual(expected);
    await using sandbox = await startTestSandbox();
    const args = [sandbox.apiUrl, tokenOf('manager'), tokenOf('application'), GUILDS[0].id];
    const { stdout } = await runProgramToEnd({ args: ['program.js', ...args], cwd: folder.path });
    expect(JSON.parse(stdout)).toStrictEqual(['%', '%', true, 200, 'settings']);
  },
);

test('the simulator is a command of the project that it is installed in', async () => {
  const { stdout } = await run(join(folder.path, 'node_modules/.bin/discord-sim'), ['--help']);
  expect(stdout).toContain('discord-sim [--port N]');
});

/** Returns the code blocks of the README in a language, in order. */
function blocksOf(language: string): readonly string[] {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  return [...readme.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, block = '']) => block);
}

test("the README's lines, in an empty folder and in their order, make a bot with /settings that reads its changes, on each line of Node", async () => {
  using project = temporaryFolder();
  const inProject = (command: string, env: NodeJS.ProcessEnv = {}) =>
    run('bash', ['-euc', command], { cwd: project.path, env: { ...process.env, ...env } });
  const [installation = '', start = ''] = blocksOf('bash').filter((block) => /npm install|node bot/.test(block));
  const [tarballs = '', ...lines] = installation.trim().split('\n');
  expect(tarballs).toBe('npx --yes pnpm@12 tarballs ../my-bot && cd ../my-bot');
  await inProject(`cp ${folder.path}/*.tgz .`);
  await inProject(lines.join('\n'), { npm_config_audit: 'false', npm_config_prefer_offline: 'true' });
  const { packages } = JSON.parse(await readFile(project.file('package-lock.json'), 'utf8'));
  const own = Object.keys(packages).filter((path) => path.includes('@guild-settings/'));
  expect(own).toEqual(['client', 'discord', 'replica'].map((name) => `node_modules/@guild-settings/${name}`));
  const { dependencies } = packages[''];
  expect(Object.keys(dependencies).filter((name) => !name.startsWith('@guild-settings/'))).toEqual(['discord.js']);

  const [settings = '', bot = ''] = blocksOf('ts');
  await writeFile(project.file('settings.ts'), settings);
  await writeFile(project.file('bot.ts'), bot);
  await inProject(`npm install --no-save --prefer-offline @types/node@${TYPES_OF_NODE}`);
  const module = ['--module', 'nodenext', '--rewriteRelativeImportExtensions'];
  expect(await compile(project.path, ['bot.ts'], module)).toBe('');

  await using sandbox = await startTestSandbox({ BOT: 'off', SETTINGS_FILE: project.file('settings.ts') });
  const [{ id: guild, channels }] = GUILDS;
  const { people } = sandbox.discord;
  const at = (text: string) =>
    text
      .replace('http://127.0.0.1:3000', sandbox.apiUrl)
      .replace('http://127.0.0.1:3001/api/v10', sandbox.discord.apiUrl);
  await writeFile(project.file('bot.ts'), at(bot));
  for (const [index, file] of nodes.entries()) {
    const command = at(start).replace(/^node /m, `exec ${file} `);
    await using program = startProgram({ file: 'bash', args: ['-euc', command], cwd: project.path });
    const change = async () => {
      const values = { setting: 'volume', value: `${index + 60}` };
      return (await people.slash(PEOPLE.manager.id, channels.general, 'settings set', values).reply()).content;
    };
    await waitUntil(
      () =>
        change().then(
          (reply) => reply.includes(`${index + 60}`),
          () => false,
        ),
      { message: program.output() },
    );
    await program.waitForOutput(new RegExp(`^${guild} ${(index + 60) / 2}$`, 'm'));
    expect(await program.end('SIGTERM')).toMatchObject({ signal: 'SIGTERM' });
  }
});
