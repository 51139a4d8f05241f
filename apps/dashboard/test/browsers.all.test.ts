import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { OLDEST_BROWSERS } from '../src/page/browsers.ts';
import { newerApis } from '../src/testing/newer-apis.ts';

const { chrome, firefox, safari } = OLDEST_BROWSERS;

/** The browsers of desktops and of phones, which have the same versions, by the names that MDN gives them. */
const BROWSERS = { ...OLDEST_BROWSERS, chrome_android: chrome, firefox_android: firefox, safari_ios: safari };

/** Functions that libraries call only in browsers that have them. */
const CHECKED = ['.checkVisibility()', '.getTextInfo()', '.skipTransition()', '.startViewTransition()'];

/** Methods of libraries' own objects. */
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
