import type { Page } from 'playwright-core';

/** A folder for a picture of every state, in every language that is looked at. None unless set. */
const { GALLERY } = process.env;

/** Keeps a picture of a page, if `GALLERY` is set. */
export async function keepPicture(page: Page, ...parts: readonly (string | number)[]): Promise<void> {
  if (GALLERY === undefined) return;
  const name = parts.join('.').replaceAll(/[^\w.-]+/g, '-');
  await page.screenshot({ path: `${GALLERY}/${name}.png` });
}
