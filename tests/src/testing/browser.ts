import chromium from '@sparticuz/chromium';
import { type Browser, type ConsoleMessage, chromium as launcher, type Page } from 'playwright-core';

/** Whether the package has a browser for this machine. */
export const HAS_BROWSER = process.platform === 'linux' && process.arch === 'x64';

/** A page, and what went wrong in it: errors of its console, exceptions, and requests that failed or were refused. */
export interface WatchedPage {
  readonly page: Page;
  readonly errors: readonly string[];
}

/** Chromium from an npm package, closed at the end of its scope. */
export interface TestBrowser extends AsyncDisposable {
  /** Opens a page in a profile of its own. */
  open(url: string): Promise<WatchedPage>;
}

/** Starts a browser. */
export async function startBrowser(): Promise<TestBrowser> {
  // Chromium's sandbox does not run as root. The package's own arguments would switch web security off.
  const browser = await launcher.launch({ executablePath: await chromium.executablePath(), args: ['--no-sandbox'] });
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
