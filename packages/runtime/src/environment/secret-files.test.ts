import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import { EnvironmentError, type EnvironmentIssue } from './environment-error.ts';
import { environmentSecrets } from './environment-secrets.ts';
import { readEnvironment } from './read-environment.ts';
import { Secret } from './variables.ts';

const SECRET = 'MTk4.Cl2FMQ.a-token-of-a-bot';
const VARIABLES = { TOKEN: Secret, PORT: z.string().default('3000') };

const folder = mkdtempSync(join(tmpdir(), 'guild-settings-secrets-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Writes a file and returns its path. */
function written(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

function issuesOf(env: NodeJS.ProcessEnv): readonly EnvironmentIssue[] {
  try {
    readEnvironment(env, { variables: VARIABLES });
  } catch (error) {
    expect(String(error)).not.toMatch(/hunter2/);
    if (error instanceof EnvironmentError) return error.issues;
  }
  throw new Error('Expected an EnvironmentError');
}

test.each([
  ['no', ''],
  ['a', '\n'],
  ["Windows'", '\r\n'],
])('a secret is the content of its file, which has %s line end', (_, end) => {
  const env = { TOKEN: '', TOKEN_FILE: written('token', `${SECRET}${end}`) };
  expect(readEnvironment(env, { variables: VARIABLES }).TOKEN).toBe(SECRET);
  expect(environmentSecrets(VARIABLES, env)).toStrictEqual([SECRET]);
});

test.each<[string, () => NodeJS.ProcessEnv, string]>([
  [
    'is missing',
    () => ({ TOKEN_FILE: join(folder, 'hunter2') }),
    'expected a file that can be read; received ENOENT. There is no such file or folder. Check the path.',
  ],
  ['is a folder', () => ({ TOKEN_FILE: folder }), 'expected the path of a file; received that of something else'],
  [
    'is empty',
    () => ({ TOKEN_FILE: written('empty', '\n') }),
    'expected a file with the secret; received an empty one',
  ],
  [
    'is too large',
    () => ({ TOKEN_FILE: written('large', 'x'.repeat(65_537)) }),
    'expected a file of at most 65536 bytes; received one of 65537',
  ],
  [
    'has an unfit value',
    () => ({ TOKEN_FILE: written('unfit', 'Bot hunter2') }),
    'expected a secret as Discord shows it, without spaces and quotes; received the content of the file, not shown',
  ],
  [
    'has quotes around it',
    () => ({ TOKEN_FILE: written('quoted', '"hunter2"\n') }),
    'expected the value without the quotes around it; received the content of the file, not shown',
  ],
  [
    'is named in quotes',
    () => ({ TOKEN_FILE: `'${written('token', SECRET)}'` }),
    'expected the value without the quotes around it; received a path in quotes',
  ],
  [
    'is not alone',
    () => ({ TOKEN: 'hunter2', TOKEN_FILE: written('token', SECRET) }),
    'expected either TOKEN or TOKEN_FILE; received both',
  ],
])('a file of a secret that %s is one issue, without its path and content', (_, env, message) => {
  expect(issuesOf(env())).toStrictEqual([{ key: 'TOKEN_FILE', message }]);
});

test('a file is read for secrets alone', () => {
  const env = { TOKEN: SECRET, PORT_FILE: join(folder, 'no-such-file') };
  expect(readEnvironment(env, { variables: VARIABLES }).PORT).toBe('3000');
});
