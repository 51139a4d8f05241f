import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { CompatData, Identifier } from '@mdn/browser-compat-data';
import { parseAst } from 'vite';
import { expect, test } from 'vitest';
import { OLDEST_BROWSERS } from '../src/page/browsers.ts';

const { chrome, firefox, safari } = OLDEST_BROWSERS;

/** The browsers of desktops and phones, which have the same versions, by MDN's names. */
const BROWSERS = { ...OLDEST_BROWSERS, chrome_android: chrome, firefox_android: firefox, safari_ios: safari };

/** Functions that libraries only call in browsers that have them. */
const CHECKED = ['.checkVisibility()', '.getTextInfo()', '.skipTransition()', '.startViewTransition()'];

/** Methods of objects of libraries. */
const OF_LIBRARIES = ['.destroy()', '.escape()', '.handle()', '.use()'];

test('the built page uses no API that the oldest browsers do not have', () => {
  const folder = new URL('../dist/page/assets/', import.meta.url);
  const scripts = readdirSync(folder).filter((name) => name.endsWith('.js'));
  expect(scripts.length).toBeGreaterThan(20);
  const found = scripts.flatMap((name) => newerApis(readFileSync(new URL(name, folder), 'utf8'), BROWSERS));
  expect([...new Set(found)].sort()).toStrictEqual([...CHECKED, ...OF_LIBRARIES].sort());
});

test.each([
  ['AbortSignal.any([one, other])', ['AbortSignal.any']],
  ['new Intl.DurationFormat("en")', ['Intl.DurationFormat']],
  ['const segmenter = new Translator()', ['Translator']],
  ['one.isSubsetOf(other)', ['.isSubsetOf()']],
  ['AbortSignal.timeout(1); one.at(-1); one.any(); one.isSubsetOf; one.isSubsetOf?.(other)', []],
])('of %s, they do not have %j', (script, apis) => {
  expect(newerApis(script, BROWSERS)).toStrictEqual(apis);
});

test('docs/dashboard.md names the oldest browsers', () => {
  const page = readFileSync(new URL('../../../docs/dashboard.md', import.meta.url), 'utf8');
  expect(page).toContain(`Chrome and Edge from ${chrome}, Firefox from ${firefox}, and Safari from ${safari} on`);
});

/** A node of ESTree. */
interface Node {
  readonly type: string;
  readonly [key: string]: unknown;
}

/** Versions of browsers, by MDN's names. */
type Browsers = Readonly<Record<string, string>>;

const { api, javascript } = createRequire(import.meta.url)('@mdn/browser-compat-data') as CompatData;
const { builtins = {} } = javascript;

/** The globals of the language and of browsers, by name. */
const GLOBALS = new Map(Object.entries({ ...api, ...builtins }) as [string, Identifier][]);

/** The members of all of them, by name: a script does not show the type of an instance. */
const MEMBERS = new Map<string, Identifier[]>();
for (const owner of [
  ...GLOBALS.values(),
  ...['Intl', 'Temporal'].flatMap((name) => Object.values(builtins[name] ?? {})),
]) {
  for (const [name, member] of Object.entries(owner)) {
    const isStable = member.__compat?.status?.experimental === false;
    if (isStable) MEMBERS.set(name, [...(MEMBERS.get(name) ?? []), member]);
  }
}

/**
 * Returns the APIs in a script that one of some browsers lacks, by MDN's data: globals and their members, and methods
 * with a name that exists on no object available in all browsers. Events, options, attributes, and calls with `?.` are
 * not checked.
 */
function newerApis(script: string, browsers: Browsers): string[] {
  const found = new Set<string>();
  const isNewer = (feature: Identifier | undefined) => feature !== undefined && !isSupported(feature, browsers);
  visit(parseAst(script) as unknown as Node, (node) => {
    const { type, name } = node;
    if (type === 'Identifier' && isNewer(GLOBALS.get(String(name)))) found.add(String(name));
    const isCall = type === 'CallExpression' && !node.optional;
    const member = isCall ? (node.callee as Node) : node;
    if (member.type !== 'MemberExpression' || member.computed) return;
    const [owner = '', property = ''] = [member.object, member.property].map((part) => String((part as Node).name));
    const features = GLOBALS.get(owner);
    const feature = features?.[`${property}_static`] ?? features?.[property];
    if (isNewer(feature)) found.add(`${owner}.${property}`);
    if (feature === undefined && isCall && MEMBERS.get(property)?.every(isNewer)) found.add(`.${property}()`);
  });
  return [...found].sort();
}

/** Visits the nodes of a tree, except for names of properties. */
function visit(node: Node, visitor: (node: Node) => void): void {
  visitor(node);
  for (const key in node) {
    const child = node[key];
    const isName = (key === 'property' || key === 'key') && !node.computed;
    if (isName || typeof child !== 'object' || child === null) continue;
    for (const one of Array.isArray(child) ? child : [child]) if (typeof one?.type === 'string') visit(one, visitor);
  }
}

/**
 * Returns true if all browsers have a feature without a flag or a prefix. A partial implementation counts, and so does
 * a feature without data.
 */
function isSupported({ __compat }: Identifier, browsers: Browsers): boolean {
  if (__compat === undefined) return true;
  const support = new Map(Object.entries(__compat.support));
  return Object.entries(browsers).every(([browser, version]) =>
    [support.get(browser) ?? []]
      .flat()
      .some(
        ({ version_added: added, flags, prefix, alternative_name: otherName }) =>
          !flags && !prefix && !otherName && typeof added === 'string' && isAtMost(added.replace('≤', ''), version),
      ),
  );
}

/** Compares versions such as 17.4 by their numbers; `preview` is later than all. */
function isAtMost(one: string, other: string): boolean {
  return one !== 'preview' && one.localeCompare(other, 'en', { numeric: true }) <= 0;
}
