import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  DatabaseUrl,
  EnvironmentError,
  type EnvironmentIssue,
  environmentSecrets,
  filePathOf,
  Host,
  HttpUrl,
  integer,
  readEnvironment,
  Secret,
} from './environment.ts';

const OPTIONS = {
  variables: {
    API_URL: HttpUrl,
    PORT: integer({ max: 65_535 }).prefault('3000'),
    TOKEN: z.string().min(20).meta({ isSecret: true }).optional(),
  },
};

function errorOf(read: () => unknown): EnvironmentError {
  try {
    read();
  } catch (error) {
    if (error instanceof EnvironmentError) return error;
    throw error;
  }
  throw new Error('Expected an EnvironmentError, and nothing was thrown');
}

test('an empty variable counts as absent', () => {
  expect(readEnvironment({ API_URL: 'http://api//', PORT: '', TOKEN: '' }, OPTIONS)).toStrictEqual({
    API_URL: 'http://api',
    PORT: 3_000,
  });
});

test('every unusable variable is an issue, with what was expected and what came, and no secret', () => {
  const { issues, message } = errorOf(() => readEnvironment({ PORT: '0x10', TOKEN: 'hunter2' }, OPTIONS));
  expect(issues).toStrictEqual([
    { key: 'API_URL', message: expect.stringMatching(/; received nothing$/) },
    { key: 'PORT', message: 'expected an integer from 0 to 65535; received "0x10"' },
    { key: 'TOKEN', message: expect.stringMatching(/; received a hidden value$/) },
  ]);
  expect(message.split('\n')).toHaveLength(4);
  expect(message).not.toContain('hunter2');
});

test('issues within the file that a variable names are shown by their paths', () => {
  const file = z.string().transform((_, context) => {
    context.issues.push({ code: 'custom', message: 'expected 1', path: ['a/b', 0], input: 2 });
    return z.NEVER;
  });
  const { issues } = errorOf(() => readEnvironment({ FILE: 'x.json' }, { variables: { FILE: file } }));
  expect(issues).toStrictEqual([{ key: 'FILE', message: '/a~1b/0: expected 1' }]);
});

test('variables that depend on each other are checked also where another one is unusable', () => {
  const check = () => [{ key: 'SHARDS', message: 'expected both' }];
  const { issues } = errorOf(() => readEnvironment({ API_URL: 'http://api', PORT: 'x' }, { ...OPTIONS, check }));
  expect(issues.map(({ key }) => key)).toStrictEqual(['PORT', 'SHARDS']);
});

test('a hint is the last line of the message, and no issue', () => {
  const error = new EnvironmentError([{ key: 'PORT', message: 'expected a port' }], 'Unset PORT.');
  expect(error.message).toBe('The environment is not usable:\n  PORT: expected a port\nUnset PORT.');
  expect(error.issues).toHaveLength(1);
});

describe('HttpUrl', () => {
  test.each([
    ['nonsense', 'expected an http(s) URL'],
    ['ftp://host', 'expected an http(s) URL'],
    ['https://user:hunter2@host', 'expected a URL without a user name and password'],
  ])('refuses %s with one issue', (url, expected) => {
    const messages = HttpUrl.safeParse(url).error?.issues.map(({ message }) => message);
    expect(messages).toStrictEqual([expected]);
  });
});

test.each([
  ['file:./data/x.db', './data/x.db'],
  ['file:/var/lib/x.db', '/var/lib/x.db'],
  ['file:///var/lib/x.db', '/var/lib/x.db'],
])('the path of %s is %s', (url, path) => {
  expect(filePathOf(url)).toBe(path);
});

describe('a value in quotes', () => {
  const variables = {
    TOKEN: Secret,
    KEYS: z.string().meta({ isSecret: true }),
    DATABASE_URL: DatabaseUrl,
    NAME: z.string(),
  };
  const values = { TOKEN: 'hunter2', KEYS: 'hunter2', DATABASE_URL: 'file:hunter2', NAME: 'hunter' };

  test.each([
    ['double quotes', '"', ''],
    ['single quotes', "'", ''],
    ['backquotes', '`', ''],
    ['quotes and a line end', '"', '\n'],
    ['quotes and a line end of Windows', "'", '\r\n'],
  ])('is refused in every variable: %s', (_, quote, end) => {
    const env = Object.fromEntries(
      Object.entries(values).map(([key, value]) => [key, `${quote}${value}${quote}${end}`]),
    );
    const { issues, message } = errorOf(() => readEnvironment(env, { variables }));
    expect(issues.map(({ key }) => key)).toEqual(Object.keys(variables));
    for (const issue of issues) expect(issue.message).toMatch(/^expected the value without the quotes around it; /);
    expect(message).not.toContain('hunter2');
  });

  test('is a secret with one quote as well', () => {
    for (const TOKEN of ['"hunter2', "hunter2'"]) {
      const { issues } = errorOf(() => readEnvironment({ ...values, TOKEN }, { variables }));
      expect(issues).toEqual([{ key: 'TOKEN', message: expect.stringMatching(/without spaces and quotes; /) }]);
    }
  });
});

describe('Host', () => {
  test.each([
    ['[::1]', '::1'],
    ['::1', '::1'],
    ['[fe80::1%eth0]', 'fe80::1%eth0'],
    ['0.0.0.0', '0.0.0.0'],
    ['localhost', 'localhost'],
    ['api_1.internal', 'api_1.internal'],
  ])('%s listens at %s', (given, host) => {
    expect(Host.parse(given)).toBe(host);
  });

  test.each(['[]', '[::1', '[::1]:3000', 'localhost:3000', 'http://localhost', 'a b'])('refuses %s', (host) => {
    expect(Host.safeParse(host).error?.issues.map(({ message }) => message)).toEqual([
      'expected a host name or an IP address without a port, such as 127.0.0.1 or ::1',
    ]);
  });
});

const SECRET = 'MTk4.Cl2FMQ.a-token-of-a-bot';
const VARIABLES = { TOKEN: Secret, PORT: z.string().default('3000') };

const folder = mkdtempSync(join(tmpdir(), 'guild-settings-secrets-'));
afterAll(() => rmSync(folder, { recursive: true }));

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
    'expected a readable file; received ENOENT. There is no such file or folder. Check the path.',
  ],
  ['is a folder', () => ({ TOKEN_FILE: folder }), 'expected the path of a regular file; received another path'],
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
    'expected a secret as Discord shows it, without spaces and quotes; received the hidden content of the file',
  ],
  [
    'has quotes around it',
    () => ({ TOKEN_FILE: written('quoted', '"hunter2"\n') }),
    'expected the value without the quotes around it; received the hidden content of the file',
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
