import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Result, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** Pixels that the page is wider than its window. */
const OVERFLOW = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';

/** The program of axe without its comments, which a document compiles in half the time. */
const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/**
 * Only what is wrong is described: to describe and send everything that is right takes longer than to examine it. Style sheets
 * are not loaded again for rules about them, none of which is on.
 */
const OPTIONS: RunOptions = { resultTypes: ['violations'], preload: false };

/** Expects that the page is not wider than its window. */
export async function expectNothingCutOff(page: Page): Promise<void> {
  expect(await page.evaluate<number>(OVERFLOW)).toBeLessThanOrEqual(0);
}

/** Attributes that name elements which describe another one. A missing element is no violation for axe. */
const NAMING = ['aria-describedby', 'aria-errormessage', 'aria-labelledby'];

/** A script that returns the names of elements that are missing. */
const MISSING = `${JSON.stringify(NAMING)}.flatMap((name) =>
  [...document.querySelectorAll('[' + name + ']')].flatMap((element) =>
    element.getAttribute(name).split(/\\s+/).filter((id) => id !== '' && document.getElementById(id) === null)
      .map((id) => name + ' names no element: ' + id + ' at ' + element.cloneNode(false).outerHTML)))`;

/**
 * Returns what axe finds on a page as it is. It is loaded into a document once.
 * @param parts selectors of the parts that are examined; all unless given
 * @see https://github.com/dequelabs/axe-core/blob/develop/doc/API.md
 */
export async function violationsOf(page: Page, parts: readonly string[] = []): Promise<string[]> {
  if (await page.evaluate<boolean>('window.axe === undefined')) await page.evaluate(AXE);
  const context = parts.length === 0 ? 'document' : JSON.stringify({ include: parts });
  const violations = await page.evaluate<Result[]>(
    `axe.run(${context}, ${JSON.stringify(OPTIONS)}).then(({ violations }) => violations)`,
  );
  const missing = await page.evaluate<string[]>(MISSING);
  return [...violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(', ')}`), ...missing];
}

/** A folder for a picture of every state, in every language that is looked at. None unless set. */
const { GALLERY } = process.env;

/** Keeps a picture of a page, if `GALLERY` is set. */
export async function keepPicture(page: Page, ...parts: readonly (string | number)[]): Promise<void> {
  if (GALLERY === undefined) return;
  const name = parts.join('.').replaceAll(/[^\w.-]+/g, '-');
  await page.screenshot({ path: `${GALLERY}/${name}.png` });
}
