import { startBrowser } from '@guild-settings/discord-sim/testing/browser';
import type { Browser, ConsoleMessage, Page } from 'playwright-core';

/** A page, and what went wrong in it: errors of its console, exceptions, and requests that failed or were refused. */
export interface WatchedPage {
  readonly page: Page;
  readonly errors: readonly string[];
}

/** A browser, closed at the end of its scope. */
export interface WatchingBrowser extends AsyncDisposable {
  /** Opens a page in a profile of its own. */
  open(url: string): Promise<WatchedPage>;
}

/** Starts a browser that watches its pages. */
export async function startWatchingBrowser(): Promise<WatchingBrowser> {
  const browser = await startBrowser();
  return { open: (url) => open(browser, url), [Symbol.asyncDispose]: () => browser.close() };
}

async function open(browser: Browser, url: string): Promise<WatchedPage> {
  const page = await browser.newPage();
  const errors: string[] = [];
  page.on('console', (message: ConsoleMessage) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('requestfailed', (request) => errors.push(`${request.url()}: ${request.failure()?.errorText}`));
  page.on('response', (response) => {
    if (response.status() >= 400) errors.push(`${response.url()}: ${response.status()}`);
  });
  await page.goto(url);
  return { page, errors };
}
