import { browserFile } from '@guild-settings/discord-sim/testing/browser';
import { freePort } from '@guild-settings/testing';
import { type BrowserContext, chromium } from 'playwright-core';
import type { Cookie } from '../servers/dashboard-login.ts';

export interface Chromium extends AsyncDisposable {
  readonly profile: BrowserContext;
  /** The port of its DevTools protocol. */
  readonly port: number;
}

export interface ChromiumOptions {
  readonly folder: string;
  readonly url: string;
  readonly session?: readonly Cookie[] | undefined;
}

export async function startChromium({ folder, url, session = [] }: ChromiumOptions): Promise<Chromium> {
  const port = await freePort();
  const profile = await chromium.launchPersistentContext(folder, {
    executablePath: await browserFile(),
    args: ['--no-sandbox', `--remote-debugging-port=${port}`],
    locale: 'en-US',
  });
  await profile.addCookies(session.map((cookie) => ({ ...cookie, url, httpOnly: true, sameSite: 'Lax' })));
  return { profile, port, [Symbol.asyncDispose]: () => profile.close() };
}
