import { readFileSync, writeFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { colorDifference, fontsOfPage, maskTexts, waitForPaint } from './picture-scripts.ts';

const FOLDER = new URL('../../../docs/pictures/', import.meta.url);

/** Takes the pictures again: `UPDATE_PICTURES=1`. */
const IS_UPDATE = process.env.UPDATE_PICTURES !== undefined;

const HINT = 'UPDATE_PICTURES=1 takes its pictures again, to be looked at before they are committed';

/** The most that the mean color of a part of a picture may differ, of 255. */
const MAX_DIFFERENCE = 8;

const DESKTOP = { width: 1_080, height: 720 };
const PHONE = { width: 390, height: 780 };

interface Look {
  readonly colorScheme: 'light' | 'dark';
  readonly viewport: { readonly width: number; readonly height: number };
}

/** The looks in which pictures are taken, by the end of their names. */
const LOOKS = {
  light: { colorScheme: 'light', viewport: DESKTOP },
  dark: { colorScheme: 'dark', viewport: DESKTOP },
  phone: { colorScheme: 'dark', viewport: PHONE },
} as const satisfies Record<string, Look>;

/** Parts that differ each time: measured times, and times of day. */
const MASKS = [
  { pattern: 'after \\d+ ms', text: 'after 12 ms' },
  { pattern: '\\d{1,2}:\\d\\d:\\d\\d\\s[AP]M', text: '12:34:56 PM' },
] as const;

/**
 * Expects that the pictures of a page in the documentation are still true: the page has the same texts and controls as when they
 * were taken, and, in the same browser with the same fonts, the same colors in the same places.
 */
export async function expectPictures(page: Page, name: string, looks: readonly (keyof typeof LOOKS)[]): Promise<void> {
  await page.evaluate(maskTexts(MASKS));
  // A picture has no scrollbar, and needs no room for it.
  await page.evaluate("document.documentElement.style.scrollbarGutter = 'auto'");
  await page.setViewportSize(DESKTOP);
  const description = new URL(`${name}.txt`, FOLDER);
  const fonts = await page.evaluate<string>(fontsOfPage);
  const tree = await treeOf(page);
  if (IS_UPDATE) writeFileSync(description, `${fonts}\n${tree}\n`);
  const [takenFonts, ...expected] = readFileSync(description, 'utf8').trimEnd().split('\n');
  expect(tree.split('\n'), `what ${name} shows; ${HINT}`).toStrictEqual(expected);
  for (const look of looks) {
    const picture = new URL(`${name}-${look}.webp`, FOLDER);
    if (IS_UPDATE) writeFileSync(picture, await take(page, LOOKS[look]), 'base64');
    const kept = readFileSync(picture, 'base64');
    // A list that is open is placed anew after the viewport has changed.
    const differs = async () => page.evaluate<number>(colorDifference(kept, await take(page, LOOKS[look])));
    if (fonts === takenFonts)
      await expect
        .poll(differs, { message: `how ${name} looks; ${HINT}`, timeout: 5_000 })
        .toBeLessThanOrEqual(MAX_DIFFERENCE);
  }
}

/** Returns what a screen reader finds on a page, without messages that it is told once. */
async function treeOf(page: Page): Promise<string> {
  const tree = await page.locator('body').ariaSnapshot();
  return tree.replaceAll(/^- (?:log|status)\b.*\n?(?: .*\n?)*/gm, '').trimEnd();
}

/** Returns a picture as WebP in base64. */
async function screenshot(page: Page, { colorScheme, viewport }: Look): Promise<string> {
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize(viewport);
  await page.evaluate('scrollTo(0, 0)');
  const session = await page.context().newCDPSession(page);
  await page.evaluate(waitForPaint);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 90 });
  await session.detach();
  return data;
}

/** Takes a picture, without what differs each time. */
async function take(page: Page, look: Look): Promise<string> {
  await page.evaluate(maskTexts(MASKS));
  return screenshot(page, look);
}
