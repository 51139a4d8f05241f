import { execFile, spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { tokenOf } from '@guild-settings/discord-sim/testing/world';
import { temporaryFolder } from '@guild-settings/testing';
import { expect, test } from 'vitest';
import { startTestSandbox } from './testing/test-sandbox.ts';

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
    await using sandbox = await startTestSandbox();
    const env = { PATH: process.env.PATH, GUILD_SETTINGS_URL: sandbox.apiUrl };

    const { stdout } = await run(program, parameters, { env });
    expect(stdout).toBe(/```console\n\$ .*\n(?<lines>[\s\S]*?)```/.exec(README)?.groups?.lines);

    const refused = run(program, parameters, { env: { ...env, GUILD_SETTINGS_TOKEN: tokenOf('expired') } });
    await expect(refused).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('401 Invalid token: ') });
  });
}
