import { readFileSync, statSync } from 'node:fs';
import { expect, test } from 'vitest';

/** A module of Vite's manifest. */
interface Built {
  readonly file: string;
  readonly name?: string;
  readonly imports?: readonly string[];
}

const PAGE = new URL('../dist/page/', import.meta.url);
const MANIFEST: Readonly<Record<string, Built>> = JSON.parse(
  readFileSync(new URL('.vite/manifest.json', PAGE), 'utf8'),
);

/** Returns the files that a browser loads for modules and their imports. */
function filesOf(modules: readonly string[]): Set<string> {
  const files = new Set<string>();
  const visit = (name: string) => {
    const built = MANIFEST[name] ?? Object.values(MANIFEST).find((chunk) => chunk.name === name);
    if (built === undefined) throw new Error(`Expected ${name} in the manifest, received ${Object.keys(MANIFEST)}`);
    if (files.has(built.file)) return;
    files.add(built.file);
    for (const imported of built.imports ?? []) visit(imported);
  };
  for (const name of modules) visit(name);
  return files;
}

/** Returns the kilobytes of the styles and modules as sent to a browser that accepts Brotli. */
function kilobytesOf(modules: readonly string[]): number {
  return [...STYLES, ...filesOf(modules)].reduce((sum, file) => sum + sentBytes(file), 0) / 1_000;
}

/** The build compresses all files except the smallest. */
function sentBytes(file: string): number {
  const compressed = statSync(new URL(`${file}.br`, PAGE), { throwIfNoEntry: false });
  return (compressed ?? statSync(new URL(file, PAGE))).size;
}

const HTML = readFileSync(new URL('index.html', PAGE), 'utf8');

function filesIn(attribute: RegExp): string[] {
  return [...HTML.matchAll(attribute)].map(([, file = '']) => file);
}

const STYLES = filesIn(/<link rel="stylesheet"[^>]* href="\/([^"]+)"/g);

function modulesOfDocument(): string[] {
  const named = new Set(filesIn(/<script[^>]* src="\/([^"]+)"/g));
  const modules = Object.entries(MANIFEST).filter(([, { file }]) => named.has(file));
  expect([named.size > 0, modules.length, STYLES.length]).toStrictEqual([true, named.size, 1]);
  return modules.map(([name]) => name);
}

const text = (namespace: string, language: string) => `i18n/locales/${language}/${namespace}.json`;

const SHARED_TEXTS = '../../../../packages/i18n/src/locales/hi/shared.json';

const LOGIN = [...modulesOfDocument(), text('common', 'hi')];
const LIST = [...LOGIN, 'app'];
const SETTINGS = [...LIST, 'pages', 'guild', 'form', SHARED_TEXTS, text('settings', 'hi')];

test('the first page, the login, is at most 95 KB', () => {
  expect(kilobytesOf(LOGIN)).toBeLessThanOrEqual(95);
});

test('the list of guilds is at most 115 KB, with what the login has loaded', () => {
  expect(kilobytesOf(LIST)).toBeLessThanOrEqual(115);
});

test('the settings of a guild are at most 176 KB, with what was loaded before', () => {
  expect(kilobytesOf(SETTINGS)).toBeLessThanOrEqual(176);
});

test('no page has zod, which the service checks with', () => {
  const scripts = Object.values(MANIFEST).filter(({ file }) => file.endsWith('.js'));
  // A name within zod that minifiers keep, because it is a property.
  const withZod = scripts.filter(({ file }) => readFileSync(new URL(file, PAGE), 'utf8').includes('_zod'));
  expect([scripts.length > 20, withZod]).toStrictEqual([true, []]);
});
