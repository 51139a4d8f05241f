import type { Page } from 'playwright-core';

/**
 * Returns a growing list of what goes wrong in a page: errors and warnings of its console, exceptions, and requests
 * without a response. Advice of the browser that depends on time is left out: a preload that the page uses later than
 * some seconds after it has loaded, or not at all, since this person may not open it.
 */
export function errorsOf(page: Page): readonly string[] {
  const errors: string[] = [];
  page.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return;
    if (!message.text().includes('preloaded using link preload but not used')) errors.push(message.text());
  });
  page.on('pageerror', (error) => errors.push(String(error)));
  return errors;
}
