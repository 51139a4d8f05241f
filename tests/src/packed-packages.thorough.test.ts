import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { BOT, GUILDS, tokenOf } from '@guild-settings/discord-sim/testing/world';
import {
  fetchNode,
  runProgramToEnd,
  startProgram,
  type TemporaryFolder,
  temporaryFolder,
} from '@guild-settings/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestSandbox } from './testing/test-sandbox.ts';

/** A small bot of another project, which has some of the packages. */
interface LoneBot {
  /** The packages that it installs, one after the other, from their tarballs. */
  readonly tarballs: readonly string[];
  /** The packages that it installs from a registry. */
  readonly others: readonly string[];
  /** Receives the URL of the service, its token, the URL of Discord, its token, and a guild. */
  readonly program: string;
  /** JSON on standard output. */
  readonly prints: unknown;
}

const ARGUMENTS = "const [url = '', token = '', discordUrl = '', botToken = '', guild = ''] = process.argv.slice(2);";

const CLIENT = `
import { createGuildSettingsClient, hasProblem, mayManageGuild, withRequest } from '@guild-settings/client';

${ARGUMENTS}
const settings = createGuildSettingsClient({ url, token });
const permissions = [0n, 1n << 5n].map((bits) => mayManageGuild({ owner: false, permissions: bits }));
const { prefix } = await settings.guilds.update.mutate({ guild, prefix: '%' }, withRequest({ ifMatch: '*' }));
const refused = await settings.guilds.get.query({ guild: '1' }).catch((error: unknown) => error);
console.log(JSON.stringify([permissions, prefix, hasProblem(refused, 'invalid-request'), discordUrl !== botToken]));
// @ts-expect-error
const update = () => settings.guilds.update.mutate({ guild, prefix: 1 });
`;

const REPLICA = `
import { openReplica } from '@guild-settings/replica';

${ARGUMENTS}
const replica = openReplica({ apiUrl: url, credentials: token, path: 'replica.db' });
await replica.waitUntilLive();
const { prefix } = replica.get(guild);
await replica.close();
console.log(JSON.stringify([prefix, discordUrl !== botToken]));
// @ts-expect-error
const colour = () => replica.get(guild).colour;
`;

const PRESENCE = `
import { createGuildSettingsClient } from '@guild-settings/client';
import { reportPresence } from '@guild-settings/discord';
import { Client, GatewayIntentBits } from 'discord.js';

${ARGUMENTS}
const client = new Client({ intents: [GatewayIntentBits.Guilds], rest: { api: discordUrl.replace(/\\/v10$/, '') } });
const settings = createGuildSettingsClient({ url, token });
let presence: ReturnType<typeof reportPresence> | undefined;
const reported = new Promise<void>((resolve, reject) => {
  presence = reportPresence(client, settings, { onReported: resolve, onError: reject });
});
await client.login(botToken);
await reported;
const { name } = await settings.guilds.get.query({ guild });
await presence?.stop();
await client.destroy();
console.log(JSON.stringify([name]));
// @ts-expect-error
const report = () => reportPresence(client, { presence: {} });
`;

const LONE_BOTS: readonly LoneBot[] = [
  { tarballs: ['client'], others: [], program: CLIENT, prints: [[false, true], '%', true, true] },
  { tarballs: ['replica'], others: [], program: REPLICA, prints: ['!', true] },
  { tarballs: ['presence', 'client'], others: ['discord.js@14'], program: PRESENCE, prints: [GUILDS[0].name] },
];

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PACKAGES = ['contract', 'client', 'replica', 'presence', 'discord-sim'] as const;

/** A program of another project, which uses each package. */
const PROGRAM = `
import { createGuildSettingsClient, hasProblem, watch } from '@guild-settings/client';
import { type Guild, GuildId } from '@guild-settings/contract';
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
console.log(JSON.stringify([changed.prefix, prefix, hasProblem(refused, 'invalid-request'), status]));
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

/** The oldest Node that the packages run on, and the newest of each line. */
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
  // Each package finds what it depends on itself, and nothing else.
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
    expect(JSON.parse(stdout)).toStrictEqual(['%', '%', true, 200]);
  },
);

test('the simulator is a command of the project that it is installed in', async () => {
  const { stdout } = await run(join(folder.path, 'node_modules/.bin/discord-sim'), ['--help']);
  expect(stdout).toContain('discord-sim [--port N]');
});

test.each(LONE_BOTS)(
  'a small bot installs $tarballs with npm, one tarball at a time, compiles, and runs on each line of Node',
  async ({ tarballs, others, program, prints }) => {
    using project = temporaryFolder();
    await writeFile(join(project.path, 'package.json'), JSON.stringify({ type: 'module', private: true }));
    const install = (...packages: readonly string[]) =>
      run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', ...packages], {
        cwd: project.path,
      });
    for (const name of tarballs) {
      const [file = ''] = (await readdir(folder.path)).filter((one) => nameOf(one) === `@guild-settings/${name}`);
      await install(join(folder.path, file));
    }
    await install(`@types/node@${TYPES_OF_NODE}`, ...others);
    const { packages } = JSON.parse(await readFile(join(project.path, 'package-lock.json'), 'utf8'));
    const own = Object.keys(packages).filter((path) => /^node_modules\/@guild-settings\/[^/]+$/.test(path));
    expect(own).toStrictEqual(tarballs.map((name) => `node_modules/@guild-settings/${name}`).toSorted());
    await writeFile(join(project.path, 'bot.ts'), program);
    expect(await compile(project.path, ['bot.ts'], ['--module', 'nodenext'])).toBe('');
    await using sandbox = await startTestSandbox();
    const args = [sandbox.apiUrl, tokenOf('application'), sandbox.discord.apiUrl, BOT.token, GUILDS[0].id];
    for (const file of nodes) {
      const { stdout } = await runProgramToEnd({ file, args: ['bot.js', ...args], cwd: project.path });
      expect(JSON.parse(stdout), file).toStrictEqual(prints);
    }
  },
);
