import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** Expects that axe finds nothing wrong with what a page shows, in light and in dark colours. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
    const found = violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${colorScheme}: ${id}: ${html}`));
    expect(found).toStrictEqual([]);
  }
}

/** Expects that a page is not wider than the window: nobody has to scroll in two directions. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const wider = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
  expect(wider).toBe(0);
}
