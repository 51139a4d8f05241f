import { keepPage } from '@guild-settings/testing';
import type { Browser, BrowserContext, Page, Route } from 'playwright-core';
import { lookAtEnd } from './looks.ts';

/** A script for the browser: resolves when changes are drawn. */
export const TWO_FRAMES = 'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))';

/**
 * The text about a change after a wait of two seconds: on a busy machine the bot takes longer, or has applied the next
 * change before the page received it.
 */
export const ARRIVAL = '(?:Live on this server(?: after \\d+ ms)?|The bot has not applied it yet)\\.';

export interface OpenOptions {
  readonly viewport?: { readonly width: number; readonly height: number };
  readonly colorScheme?: 'light' | 'dark';
  readonly locale?: string;
  readonly timezoneId?: string;
  readonly userAgent?: string;
  /** Headers of every request, such as the client address added by a proxy. */
  readonly extraHTTPHeaders?: Readonly<Record<string, string>>;
}

/** Creates a separate profile without animations, which take CPU time from other tests. */
export async function newProfile(browser: Browser, options?: OpenOptions): Promise<BrowserContext> {
  const profile = await browser.newContext({ locale: 'en-US', reducedMotion: 'reduce', ...options });
  // For elements that never appear: a machine may be slow, and several tests run at once.
  profile.setDefaultTimeout(120_000);
  return profile;
}

/**
 * Opens the first tab of a profile, which ends with it. At the end of its scope, the final state of the page is
 * checked.
 */
export async function openFirstTab(profile: BrowserContext, url: string): Promise<Page> {
  const page = await profile.newPage();
  page[Symbol.asyncDispose] = async () => {
    try {
      if (page.isClosed()) return;
      keepPage(`${page.url()}\n${await page.locator('body').ariaSnapshot()}`);
      await lookAtEnd(page);
    } finally {
      await page.close();
    }
  };
  // The page may have ended already, with its browser.
  page.once('close', () => void profile.close().catch(() => {}));
  await page.goto(url);
  return page;
}

interface Login {
  readonly url: string;
  readonly personId: string;
}

/** Logs a person in with the requests of Discord's page, without showing it. */
export async function logIn({ request }: BrowserContext, { url, personId }: Login): Promise<void> {
  const begun = await request.get(`${url}/login`, { maxRedirects: 0 });
  const decided = await request.post(begun.headers().location ?? '', { data: { personId, authorize: true } });
  const { location } = (await decided.json()) as { readonly location: string };
  await request.get(location, { maxRedirects: 0 });
}

/**
 * Returns a growing list of failures in a page: console errors and warnings, exceptions, and requests without a
 * response. Excludes browser advice that depends on time: a preload that the page uses some seconds after it has
 * loaded, or not at all, because this person may not open it.
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

/** Lets the service process a request, and loses its response. */
export async function loseResponse(route: Route): Promise<void> {
  await route.fetch();
  // The page, or a removed route, may have ended the request.
  await route.abort().catch(() => {});
}
