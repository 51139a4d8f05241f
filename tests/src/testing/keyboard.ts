import { waitUntil } from '@guild-settings/testing';
import type { Page } from 'playwright-core';
import { FOCUSED, type Focused } from './looks.ts';

/**
 * Presses Tab until an element with this name has the focus. Expects that the focused elements on the way are not
 * covered.
 */
export async function reach(page: Page, name: string): Promise<void> {
  const passed: string[] = [];
  for (let steps = 0; steps < 80; steps += 1) {
    const focused = await page.evaluate<Focused | null>(FOCUSED);
    if (focused !== null) {
      // The bar moves the page in the next frame.
      const isSeen = async () => (await page.evaluate<Focused | null>(FOCUSED))?.hiddenPoints === 0;
      await waitUntil(isSeen, { message: `"${focused.name}" to be seen while it has the focus` });
      if (focused.name.trim() === name) return;
      passed.push(focused.name);
    }
    await page.keyboard.press('Tab');
  }
  throw new Error(`Expected to reach "${name}" with the Tab key, passed ${passed.join(', ')}`);
}

export async function press(page: Page, name: string): Promise<void> {
  await reach(page, name);
  await page.keyboard.press('Enter');
}

/** Expects that the focus is at, or reaches, an element with this text. */
export async function focusAt(page: Page, text: string): Promise<void> {
  // The heading of a page starts with the name of the server.
  const isThere = async () => (await page.evaluate<string>('document.activeElement.textContent')).endsWith(text);
  await waitUntil(isThere, { message: `the focus to be at "${text}"` });
}
