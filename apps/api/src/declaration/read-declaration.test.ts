import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Declaration, defineSettings } from '@guild-settings/contract/settings';
import { temporaryFolder } from '@guild-settings/testing';
import { afterAll, expect, test } from 'vitest';
import { DeclarationError, declarationTag, duplicateKeys, readDeclaration } from './read-declaration.ts';
import { readFileOrModule } from './read-module.ts';

const folder = temporaryFolder();
afterAll(() => folder[Symbol.dispose]());

function file(name: string, text: string): string {
  writeFileSync(folder.file(name), text);
  return folder.file(name);
}

/** Returns the lines of the error for an invalid file, without the first. */
function flawsOf(path: string, read?: typeof readFileOrModule): string[] {
  try {
    readDeclaration(path, read);
  } catch (error) {
    if (!(error instanceof DeclarationError)) throw error;
    const [head, ...lines] = error.message.split('\n');
    expect(head).toBe(`${path} is not a valid declaration of settings:`);
    return lines.map((line) => line.trim());
  }
  throw new Error('Expected a DeclarationError, and nothing was thrown');
}

const SETTINGS = { premium: { kind: 'switch', label: { 'en-US': 'Premium' } } };

test('JSON is read, also with a byte order mark', () => {
  const text = JSON.stringify({ settings: SETTINGS });
  expect(readDeclaration(file('a.json', text))).toEqual({ settings: SETTINGS });
  expect(readDeclaration(file('bom.json', `\uFEFF${text}`))).toEqual({ settings: SETTINGS });
});

test('all flaws of JSON are named, also keys that it has twice', () => {
  const text = '{"settings": {"on": {"kind": "switch"}, "on": {"kind": "map"}}, "colour": 1}';
  expect(flawsOf(file('flaws.json', text))).toEqual([
    '/settings/on: expected once, received again',
    expect.stringMatching(/^\/colour: unknown field/),
    expect.stringMatching(/^\/settings\/on\/kind: expected one of switch, .*, received "map"$/),
    '/settings/on/label: expected an object, received nothing',
  ]);
});

test.each([
  ['no.json', undefined, 'expected a readable file. There is no such file or folder. Check the path.'],
  ['broken.json', '{"settings": {', 'expected JSON: '],
  ['settings.yaml', '', 'expected a .json file. For a .ts or .js file, "npx --yes pnpm@12 run settings check '],
  ['settings.ts', '', 'expected a .json file. For a .ts or .js file, "npx --yes pnpm@12 run settings check '],
])('the service refuses %s, and names the remedy', (name, text, flaw) => {
  const path = text === undefined ? folder.file(name) : file(name, text);
  expect(flawsOf(path)).toEqual([expect.stringContaining(flaw)]);
});

test.each(['@guild-settings/replica', '@guild-settings/contract/settings'])(
  'a TypeScript module is bundled with what it imports, and finds %s without an installation',
  (declaring) => {
    file('labels.ts', `export const label = { 'en-US': 'Premium' } satisfies Record<string, string>;`);
    const module = file(
      'module.ts',
      `import { type Declaration, defineSettings } from '${declaring}';
     import { label } from './labels.ts';
     export const settings = defineSettings({ settings: { premium: { kind: 'switch', label } } }) satisfies Declaration;`,
    );
    expect(readDeclaration(module, readFileOrModule)).toEqual({ settings: SETTINGS });
  },
);

test('a module that opens a replica as well is refused, and opens none, also where the team has installed it', () => {
  const installed = folder.file('node_modules/@guild-settings/replica');
  mkdirSync(installed, { recursive: true });
  const opening = `throw new Error('opened'); export const [defineSettings, openReplica] = [];`;
  writeFileSync(join(installed, 'index.js'), opening);
  const module = `import { defineSettings, openReplica } from '@guild-settings/replica';
    export const settings = defineSettings({}), replica = openReplica({ path: 'replica.db', settings });`;
  expect(flawsOf(file('bot.ts', module), readFileOrModule)).toEqual([
    expect.stringMatching(/^expected a module that can be bundled: .*bot\.ts:1:\d+: .*"openReplica"$/),
  ]);
  rmSync(installed, { recursive: true });
});

test('JavaScript is read, with a default export as well, and JSON by the same loader', () => {
  const text = `{ settings: ${JSON.stringify(SETTINGS)} }`;
  expect(readDeclaration(file('esm.js', `export default ${text}`), readFileOrModule)).toEqual({ settings: SETTINGS });
  expect(readDeclaration(file('cjs.cjs', `exports.settings = ${text}`), readFileOrModule)).toEqual({
    settings: SETTINGS,
  });
  const json = file('same.json', JSON.stringify({ settings: SETTINGS }));
  expect(readDeclaration(json, readFileOrModule)).toEqual({ settings: SETTINGS });
});

test.each([
  ['none.ts', '', 'expected an export: export const settings = defineSettings({ ... })'],
  ['syntax.ts', 'export const settings = {', 'expected a module that can be bundled: '],
  ['import.ts', "import './nowhere.ts';", 'expected a module that can be bundled: '],
  ['throws.js', "throw new Error('no luck');", 'expected a module that can be run: Error: no luck'],
  ['function.ts', 'export const settings = () => ({});', ': expected an object, received a function'],
  ['twice.js', 'export const settings = { groups: {}, groups: {} };', 'twice.js:1:39: Duplicate key "groups"'],
])('the module %s is refused: %s', (name, text, flaw) => {
  expect(flawsOf(file(name, text), readFileOrModule)).toEqual([expect.stringContaining(flaw.replace(/^: /, ''))]);
});

test.each([
  ['{}', []],
  ['{"a": {"b": 1}, "b": {"b": ["b", "b"]}}', []],
  ['[{"a": 1}, {"a": 2}]', []],
  ['{"a": 1, "a": 2, "a": 3}', [['a'], ['a']]],
  [
    '{"x": [0, [{"a": 1, "b": {}, "a": {"c": 1, "c": 2}}]]}',
    [
      ['x', 1, 0, 'a'],
      ['x', 1, 0, 'a', 'c'],
    ],
  ],
  ['{"a": "{\\"a\\": 1, ", "b": ":\\\\", "b": "}"}', [['b']]],
  ['{"a": 1, "\\u0061": 2}', [['a']]],
  ['{"__proto__": 1, "__proto__": 2}', [['__proto__']]],
])('the keys of %s that are there twice: %j', (json, expected) => {
  expect(() => JSON.parse(json)).not.toThrow();
  expect(duplicateKeys(json)).toEqual(expected);
});

const label = { 'en-US': 'A label' };
const on = { kind: 'switch', label } as const;
const rate = { kind: 'integer', min: 0, max: 9, default: 1, label } as const;
const level = { kind: 'choice', choices: { a: label, b: label }, default: 'a', label } as const;
const channel = { kind: 'channel', label } as const;
const message = { kind: 'text', max: 9, label } as const;

const DECLARATION = defineSettings({ settings: { on, rate, level, channel, message } });
const TAG = declarationTag(DECLARATION);

const withSettings = (settings: Declaration['settings']): Declaration => ({
  settings: { ...DECLARATION.settings, ...settings },
});

test.each<[string, Declaration]>([
  ['a setting more', withSettings({ more: on })],
  ['a setting less', { settings: { on, rate, level, channel } }],
  ['another order', { settings: { rate, on, level, channel, message } }],
  ['another name', { settings: { off: on, rate, level, channel, message } }],
  ['another kind', withSettings({ rate: { ...rate, kind: 'duration' } })],
  ['another default', withSettings({ rate: { ...rate, default: 2 } })],
  ['a default of a kind that has one', withSettings({ on: { ...on, default: true } })],
  ['another limit', withSettings({ rate: { ...rate, max: 10 } })],
  ['a list in place of a value', withSettings({ channel: { ...channel, many: { max: 2 } } })],
  ['another length of a list', withSettings({ channel: { ...channel, many: { max: 3 } } })],
  ['types of channels', withSettings({ channel: { ...channel, types: ['text'] } })],
  ['another choice', withSettings({ level: { ...level, choices: { a: label, c: label } } })],
  ['lines', withSettings({ message: { ...message, lines: 'many' } })],
  ['people who may not set it', withSettings({ on: { ...on, setBy: 'application' } })],
  ['a former name', withSettings({ rate: { ...rate, was: 'speed' } })],
  ['placeholders', withSettings({ message: { ...message, placeholders: { user: label } } })],
  ['a default of a specified setting', { ...DECLARATION, defaults: { prefix: '?' } }],
])('the tag changes with %s', (_, declaration) => {
  expect(declarationTag(declaration)).toMatch(/^[0-9a-f]{8}$/);
  expect(declarationTag(declaration)).not.toBe(TAG);
});

test.each<[string, Declaration]>([
  ['of the fields of a setting', withSettings({ rate: { label, default: 1, max: 9, min: 0, kind: 'integer' } })],
  ['of parts', { features: {}, ...DECLARATION, groups: {} }],
])('the tag does not depend on the order %s', (_, declaration) => {
  expect(declarationTag(declaration)).toBe(TAG);
});

test.each<[string, Declaration]>([
  ['labels', withSettings({ on: { ...on, label: { ja: '別の名前' }, description: label } })],
  ['the labels of choices', withSettings({ level: { ...level, choices: { a: { ja: 'エー' }, b: label } } })],
  ['a unit', withSettings({ rate: { ...rate, unit: '%' } })],
  ['what the bot needs in a channel', withSettings({ channel: { ...channel, needs: ['AddReactions'] } })],
  ['groups', { groups: { g: { label } }, ...withSettings({ on: { ...on, group: 'g' } }) }],
  ['features', { ...DECLARATION, features: { music: { label } } }],
])('the tag does not depend on %s', (_, declaration) => {
  expect(declarationTag(declaration)).toBe(TAG);
});

test.each<[string, Declaration]>([
  ['of a switch', withSettings({ on: { ...on, default: false } })],
  ['of a text', withSettings({ message: { ...message, lines: 'one', default: '' } })],
  ['of a specified setting', { ...DECLARATION, defaults: { prefix: '!', beta: false } }],
])('a default that is written out is the same as the one %s', (_, declaration) => {
  expect(declarationTag(declaration)).toBe(TAG);
});

const points = { kind: 'number', min: 0, max: 9, decimals: 2, default: 1, label } as const;
const alarm = { kind: 'time', zone: 'zone', default: '07:00', label } as const;
const levels = {
  kind: 'table',
  max: 3,
  columns: { at: rate, reply: { ...message, placeholders: { user: label } } },
  key: ['at'],
  label,
} as const;
const later = (settings: object) =>
  declarationTag(withSettings({ points, zone: { kind: 'timeZone', label }, alarm, levels, ...settings }));
const { at, reply } = levels.columns;

test.each<[string, object]>([
  ['decimals', { points: { ...points, decimals: 3 } }],
  ['a zone', { alarm: { ...alarm, zone: undefined } }],
  ['the rows of a table', { levels: { ...levels, max: 4 } }],
  ['the key of a table', { levels: { ...levels, key: ['at', 'reply'] } }],
  ['a column less', { levels: { ...levels, columns: { at } } }],
  ['another order of columns', { levels: { ...levels, columns: { reply, at } } }],
  ['the limit of a column', { levels: { ...levels, columns: { at: { ...at, max: 8 }, reply } } }],
  ['the kind of a column', { levels: { ...levels, columns: { at: { ...at, kind: 'duration' }, reply } } }],
  ['the default of a column', { levels: { ...levels, columns: { at: { ...at, default: 2 }, reply } } }],
  [
    'placeholders of a column',
    { levels: { ...levels, columns: { at, reply: { ...reply, placeholders: { guild: label } } } } },
  ],
])('the tag changes with %s of a kind that came later', (_, changed) => {
  expect(later(changed)).not.toBe(later({}));
});

test('the tag does not depend on the labels of columns and of placeholders', () => {
  const other = { ja: '別の名前' };
  const columns = { at: { ...at, label: other }, reply: { ...reply, label: other, placeholders: { user: other } } };
  expect(later({ levels: { ...levels, columns } })).toBe(later({}));
});
