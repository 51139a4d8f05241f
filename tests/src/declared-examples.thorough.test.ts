import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { defineSettings } from '@guild-settings/contract/settings';
import { expect } from 'vitest';
import { test } from './testing/restartable-api.ts';

const FOLDER = fileURLToPath(new URL('../../examples', import.meta.url));
const settings = defineSettings({
  settings: {
    greeting: { kind: 'text', lines: 'many', max: 200, default: 'Hello', label: { 'en-US': 'Greeting' } },
    roles: { kind: 'role', many: { max: 5 }, label: { 'en-US': 'Roles' } },
    rate: { kind: 'integer', min: 0, max: 9, default: 1, label: { 'en-US': 'Rate' } },
  },
});

test.for([
  ['TypeScript', process.execPath, `${FOLDER}/typescript/dist/main.js`],
  ['Python', 'python3', `${FOLDER}/python/guild_settings.py`],
] as const)(
  'the client in %s, of the document without declared settings, reads and changes a deployment that declares some',
  async ([, program, file], { api }) => {
    await api.stop();
    await api.start(settings);
    const env = { PATH: process.env.PATH, GUILD_SETTINGS_URL: api.url };
    const { stdout } = await promisify(execFile)(program, [file], { env });
    const readme = await readFile(`${FOLDER}/README.md`, 'utf8');
    expect(stdout).toBe(/```console\n\$ .*\n(?<lines>[\s\S]*?)```/.exec(readme)?.groups?.lines);
  },
);
