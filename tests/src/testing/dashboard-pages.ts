import { keepPage } from '@guild-settings/testing';
import type { Browser, BrowserContext, Page, Route } from 'playwright-core';
import { lookAtEnd } from './looks.ts';

/** A script for the browser: resolves when what has changed is drawn. */
export const TWO_FRAMES = 'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))';

/**
 * The text about a change after a wait of two seconds: the bot of a busy machine takes longer, or has taken over the
 * next change before the page received it.
 */
export const ARRIVAL = '(?:Live on this server(?: after \\d+ ms)?|The bot has not applied it yet)\\.';

export interface OpenOptions {
  readonly viewport?: { readonly width: number; readonly height: number };
  readonly colorScheme?: 'light' | 'dark';
  readonly locale?: string;
  readonly timezoneId?: string;
  readonly userAgent?: string;
  /** Headers of every request, such as the address that a proxy has seen. */
  readonly extraHTTPHeaders?: Readonly<Record<string, string>>;
}

/** Creates a profile of its own, without animations, which take CPU time from other tests. */
export async function newProfile(browser: Browser, options?: OpenOptions): Promise<BrowserContext> {
  const profile = await browser.newContext({ locale: 'en-US', reducedMotion: 'reduce', ...options });
  // For what never comes: a machine may be slow, and several tests run at once.
  profile.setDefaultTimeout(120_000);
  return profile;
}

/** Opens the first tab of a profile, which ends with it. At the end of its scope the page is looked at as the test has left it. */
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

/** Logs a person in, with the requests that Discord's page sends, and without showing it. */
export async function logIn({ request }: BrowserContext, { url, personId }: Login): Promise<void> {
  const begun = await request.get(`${url}/login`, { maxRedirects: 0 });
  const decided = await request.post(begun.headers().location ?? '', { data: { personId, authorize: true } });
  const { location } = (await decided.json()) as { readonly location: string };
  await request.get(location, { maxRedirects: 0 });
}

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

/** Lets the service do what a request asks for, and loses its response. */
export async function loseResponse(route: Route): Promise<void> {
  await route.fetch();
  // The page, or a route that was removed, may have ended the request.
  await route.abort().catch(() => {});
}
