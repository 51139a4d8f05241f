import { execFile, spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { APPLICATION, BOT, GUILDS, PEOPLE, tokenOf } from '@guild-settings/discord-sim/testing/world';
import { startProgram, temporaryFolder, unreachableUrl } from '@guild-settings/testing';
import { describe, expect, test } from 'vitest';
import { startTestSandbox, type TestSandbox } from './testing/test-sandbox.ts';

const run = promisify(execFile);
const FOLDER = fileURLToPath(new URL('../../examples', import.meta.url));
const TYPESCRIPT = join(FOLDER, 'typescript');
const README = await readFile(join(FOLDER, 'README.md'), 'utf8');

interface Language {
  readonly name: string;
  /** A command that fails if the language is not installed. */
  readonly version: readonly [string, ...string[]];
  prepare(folder: string): Promise<readonly [string, ...string[]]>;
}

const LANGUAGES: readonly Language[] = [
  {
    name: 'TypeScript',
    version: [process.execPath, '--version'],
    prepare: async () => [process.execPath, join(TYPESCRIPT, 'dist/main.js')],
  },
  {
    name: 'Python',
    version: ['python3', '--version'],
    prepare: async () => ['python3', join(FOLDER, 'python/guild_settings.py')],
  },
  {
    name: 'Go',
    version: ['go', 'version'],
    async prepare(folder) {
      const program = join(folder, 'guild-settings');
      await run('go', ['build', '-o', program, '.'], { cwd: join(FOLDER, 'go') });
      return [program];
    },
  },
];

for (const { name, version, prepare } of LANGUAGES) {
  const [tool, ...args] = version;
  const isInstalled = spawnSync(tool, args).status === 0;
  const reason = isInstalled ? '' : ` (skipped: ${tool} is not installed)`;
  if (!isInstalled) console.warn(`The example in ${name} is not tested: ${tool} is not installed.`);

  test.skipIf(!isInstalled)(`the example in ${name} prints what its README shows${reason}`, async () => {
    using folder = temporaryFolder();
    const [program, ...parameters] = await prepare(folder.path);
    await using sandbox = await startTestSandbox({}, true);
    const env = { PATH: process.env.PATH, GUILD_SETTINGS_URL: sandbox.apiUrl };

    const { stdout } = await run(program, parameters, { env });
    expect(stdout).toBe(/```console\n\$ .*\n(?<lines>[\s\S]*?)```/.exec(README)?.groups?.lines);

    const refused = run(program, parameters, { env: { ...env, GUILD_SETTINGS_TOKEN: tokenOf('expired') } });
    await expect(refused).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('401 Invalid token: ') });
  });
}

const { manager, member } = PEOPLE;
const [GUILD] = GUILDS as readonly [(typeof GUILDS)[number]];

/** A Python with discord.py: another Python does not find Debian's package. */
const PYTHON = ['python3', '/usr/bin/python3'].find((file) => spawnSync(file, ['-c', 'import discord']).status === 0);
const NO_PYTHON = PYTHON === undefined ? ' (skipped: discord.py is not installed)' : '';

describe.skipIf(PYTHON === undefined)(`the bot of discord.py with a /settings of its own${NO_PYTHON}`, () => {
  async function startBot({ apiUrl, discord }: TestSandbox, env: NodeJS.ProcessEnv = {}) {
    const bot = startProgram({
      file: PYTHON ?? '',
      args: [join(FOLDER, 'python/settings_command.py')],
      env: {
        API_URL: apiUrl,
        DASHBOARD_URL: 'https://settings.example',
        DISCORD_API_URL: discord.apiUrl,
        DISCORD_APPLICATION_ID: APPLICATION.id,
        DISCORD_CLIENT_SECRET: APPLICATION.clientSecret,
        DISCORD_BOT_TOKEN: BOT.token,
        ...env,
      },
    });
    await bot.waitForOutput(/has connected to Gateway/);
    const reply = (values: { setting?: string; value?: string } = {}) =>
      discord.people.slash(manager.id, GUILD.id, 'settings', values).reply();
    return { reply, [Symbol.asyncDispose]: () => bot[Symbol.asyncDispose]() };
  }

  test('it changes settings of every kind for the user, repeats what the service expects, and names the page', async () => {
    await using sandbox = await startTestSandbox({ SETTINGS_FILE: join(FOLDER, 'own-settings/settings.ts') });
    await using bot = await startBot(sandbox);

    for (const [setting, value, content] of [
      ['prefix', '5', 'prefix: "5"'],
      ['beta', 'true', 'beta: true'],
      ['enabledFeatures', '["music"]', 'enabledFeatures: ["music"]'],
      ['xpRate', '1.5', 'xpRate: 1.5'],
      ['xpRate', 'null', 'xpRate: 1'],
      ['embedColor', '#ff0000', 'embedColor: "#FF0000"'],
      ['beta', 'perhaps', '/beta: expected true or false, received "perhaps"'],
      ['xpRate', '11', '/custom/xpRate: expected'],
      ['colour', 'red', '/colour: unknown field "colour"'],
    ] as const) {
      expect(await bot.reply({ setting, value })).toMatchObject({
        content: expect.stringContaining(content),
        ephemeral: true,
      });
    }
    expect((await bot.reply()).content).toBe(`https://settings.example/guilds/${GUILD.id}`);

    const headers = { authorization: `Bearer ${tokenOf('manager')}` };
    const history = await fetch(`${sandbox.apiUrl}/guilds/${GUILD.id}/history?limit=1`, { headers });
    expect(await history.json()).toMatchObject({ entries: [{ origin: 'bot', actor: { id: manager.id } }] });
    expect(() => sandbox.discord.people.slash(member.id, GUILD.id, 'settings')).toThrow('not shown');
  });

  test('it says when the service does not answer', async () => {
    await using sandbox = await startTestSandbox();
    await using bot = await startBot(sandbox, { API_URL: await unreachableUrl() });
    const { content } = await bot.reply({ setting: 'beta', value: 'true' });
    expect(content).toMatch(/^The settings service did not answer\. .*https:\/\/settings\.example\/guilds\//);
  });
});
