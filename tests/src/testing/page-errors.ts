import type { Page } from 'playwright-core';

/** Returns a growing list of what goes wrong in a page: errors of its console, exceptions, and requests without a response. */
export function errorsOf(page: Page): readonly string[] {
  const errors: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') errors.push(message.text());
  });
  page.on('pageerror', (error) => errors.push(String(error)));
  return errors;
}
