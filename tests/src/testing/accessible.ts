import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** Pixels that the page is wider than its window. */
const OVERFLOW = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';

const PHONE = { width: 360, height: 740 };
const DESKTOP = { width: 1_280, height: 800 };

/** A phone in the light; both colours and both widths with `THOROUGH=1`. */
const LOOKS = [
  { colorScheme: 'light', viewport: PHONE },
  ...(process.env.THOROUGH
    ? ([
        { colorScheme: 'dark', viewport: PHONE },
        { colorScheme: 'light', viewport: DESKTOP },
        { colorScheme: 'dark', viewport: DESKTOP },
      ] as const)
    : []),
] as const;

/**
 * Expects that axe finds nothing on a page, and that nothing is cut off at the side.
 * @see https://github.com/dequelabs/axe-core
 */
export async function expectAccessible(page: Page): Promise<void> {
  for (const { colorScheme, viewport } of LOOKS) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize(viewport);
    expect([colorScheme, viewport.width, await violationsOf(page)]).toStrictEqual([colorScheme, viewport.width, []]);
    await expectNothingCutOff(page);
  }
}

/** Expects that the page is not wider than its window. */
export async function expectNothingCutOff(page: Page): Promise<void> {
  expect(await page.evaluate<number>(OVERFLOW)).toBeLessThanOrEqual(0);
}

/** Returns what axe finds on a page as it is. @param parts selectors of the parts that are examined; all unless given */
export async function violationsOf(page: Page, parts: readonly string[] = []): Promise<string[]> {
  const axe = parts.reduce((builder, part) => builder.include(part), new AxeBuilder({ page }).setLegacyMode());
  const { violations } = await axe.analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(', ')}`);
}
