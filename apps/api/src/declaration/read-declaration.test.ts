import { writeFileSync } from 'node:fs';
import { temporaryFolder } from '@guild-settings/testing';
import { afterAll, expect, test } from 'vitest';
import { DeclarationError } from './declaration-error.ts';
import { readDeclaration } from './read-declaration.ts';
import { readFileOrModule } from './read-module.ts';

const folder = temporaryFolder();
afterAll(() => folder[Symbol.dispose]());

/** Writes a file of the folder, and returns its path. */
function file(name: string, text: string): string {
  writeFileSync(folder.file(name), text);
  return folder.file(name);
}

/** Returns the lines of the error with which a file is refused, after the first. */
function flawsOf(path: string, read?: typeof readFileOrModule): string[] {
  try {
    readDeclaration(path, read);
  } catch (error) {
    if (!(error instanceof DeclarationError)) throw error;
    const [head, ...lines] = error.message.split('\n');
    expect(head).toBe(`${path} is not usable as a declaration of settings:`);
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
  ['no.json', undefined, 'expected a file that can be read. There is no such file or folder. Check the path.'],
  ['broken.json', '{"settings": {', 'expected JSON: '],
  ['settings.yaml', '', 'expected a .json file. For a .ts or .js file, "npx --yes pnpm@12 run settings check '],
  ['settings.ts', '', 'expected a .json file. For a .ts or .js file, "npx --yes pnpm@12 run settings check '],
])('the service refuses %s, and names the remedy', (name, text, flaw) => {
  const path = text === undefined ? folder.file(name) : file(name, text);
  expect(flawsOf(path)).toEqual([expect.stringContaining(flaw)]);
});

test('a TypeScript module is bundled with what it imports, and finds the contract without an installation', () => {
  file('labels.ts', `export const label = { 'en-US': 'Premium' } satisfies Record<string, string>;`);
  const module = file(
    'module.ts',
    `import { defineSettings } from '@guild-settings/contract/settings';
     import { label } from './labels.ts';
     export const settings = defineSettings({ settings: { premium: { kind: 'switch', label } } });`,
  );
  expect(readDeclaration(module, readFileOrModule)).toEqual({ settings: SETTINGS });
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
