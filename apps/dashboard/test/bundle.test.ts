import { readFileSync, statSync } from 'node:fs';
import { expect, test } from 'vitest';

/** A module of Vite's manifest. */
interface Built {
  readonly file: string;
  readonly css?: readonly string[];
  readonly imports?: readonly string[];
}

const PAGE = new URL('../dist/page/', import.meta.url);
const MANIFEST: Readonly<Record<string, Built>> = JSON.parse(
  readFileSync(new URL('.vite/manifest.json', PAGE), 'utf8'),
);

/** Returns the files that a browser loads for modules and for everything that they import. */
function filesOf(modules: readonly string[]): Set<string> {
  const files = new Set<string>();
  const visit = (name: string) => {
    const built = MANIFEST[name];
    if (built === undefined) throw new Error(`Expected ${name} in the manifest, received ${Object.keys(MANIFEST)}`);
    if (files.has(built.file)) return;
    for (const file of [built.file, ...(built.css ?? [])]) files.add(file);
    for (const imported of built.imports ?? []) visit(imported);
  };
  for (const name of modules) visit(name);
  return files;
}

/** Returns the kilobytes that are sent for modules to a browser that accepts Brotli. */
function kilobytesOf(modules: readonly string[]): number {
  return [...filesOf(modules)].reduce((sum, file) => sum + sentBytes(file), 0) / 1_000;
}

/** The build compresses all files but the smallest. */
function sentBytes(file: string): number {
  const compressed = statSync(new URL(`${file}.br`, PAGE), { throwIfNoEntry: false });
  return (compressed ?? statSync(new URL(file, PAGE))).size;
}

/** Returns the modules that the document itself names. */
function modulesOfDocument(): string[] {
  const html = readFileSync(new URL('index.html', PAGE), 'utf8');
  const named = new Set([...html.matchAll(/<script[^>]* src="\/([^"]+)"/g)].map(([, file]) => file));
  const modules = Object.entries(MANIFEST).filter(([, { file }]) => named.has(file));
  expect([named.size > 0, modules.length]).toStrictEqual([true, named.size]);
  return modules.map(([name]) => name);
}

const text = (namespace: string, language = 'en-us') => `i18n/locales/${namespace}/${language}.ts`;

const SHARED_TEXTS = '../../../../packages/i18n/src/texts/hi.ts';

const LOGIN = [...modulesOfDocument(), text('common', 'hi')];
const LIST = [...LOGIN, 'app/app.tsx'];
const SETTINGS = [
  ...LIST,
  'guilds/guild-frame.tsx',
  'settings/settings-page.tsx',
  SHARED_TEXTS,
  text('settings', 'hi'),
];

test('the first page, the login, is at most 95 KB', () => {
  expect(kilobytesOf(LOGIN)).toBeLessThanOrEqual(95);
});

test('the list of guilds is at most 124 KB, with what the login has loaded', () => {
  expect(kilobytesOf(LIST)).toBeLessThanOrEqual(124);
});

test('the settings of a guild are at most 170 KB, with what was loaded before', () => {
  expect(kilobytesOf(SETTINGS)).toBeLessThanOrEqual(170);
});

test('no page has zod, which the service checks with', () => {
  const scripts = Object.values(MANIFEST).filter(({ file }) => file.endsWith('.js'));
  // A name within zod that no minifier changes, because it is a property.
  const withZod = scripts.filter(({ file }) => readFileSync(new URL(file, PAGE), 'utf8').includes('_zod'));
  expect([scripts.length > 20, withZod]).toStrictEqual([true, []]);
});
