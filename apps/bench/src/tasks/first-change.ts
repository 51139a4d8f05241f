import { startBrowser } from '@guild-settings/discord-sim/testing/browser';
import { throttling } from 'lighthouse/core/config/constants.js';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { handleJobs } from './task.ts';

/** Makes the first change of a person who follows a link to the settings of a guild and is not logged in. */
export interface FirstChangeJob {
  readonly origin: string;
  readonly path: string;
  readonly personId: string;
  readonly locale: string;
  readonly runs: number;
}

export interface FirstChange {
  /** The login can be pressed. */
  readonly login: number;
  /** The settings can be changed. */
  readonly settings: number;
  /** The part of that time which Discord's page took. */
  readonly discord: number;
  /** The page says that the change is live. */
  readonly live: number;
}

const PHONE = { viewport: { width: 412, height: 823 }, deviceScaleFactor: 1.75, isMobile: true, hasTouch: true };

const { requestLatencyMs, downloadThroughputKbps, uploadThroughputKbps, cpuSlowdownMultiplier } =
  throttling.mobileSlow4G;

const bytesPerSecond = (kbps: number) => (kbps * 1_024) / 8;

handleJobs<FirstChangeJob, FirstChange[]>(async ({ runs, ...job }) => {
  await using browser = await startBrowser();
  const found: FirstChange[] = [];
  for (let run = 0; run < runs; run++) found.push(await makeFirstChange(browser, job, '?#'.charAt(run % 2)));
  return found;
});

async function makeFirstChange(
  browser: Browser,
  { origin, path, personId, locale }: Omit<FirstChangeJob, 'runs'>,
  prefix: string,
): Promise<FirstChange> {
  const profile = await browser.newContext({ ...PHONE, locale });
  const page = await profile.newPage();
  await slowDown(await profile.newCDPSession(page));
  const started = performance.now();
  const since = () => performance.now() - started;

  await page.goto(origin + path);
  await page.locator('a[href^="/login"]').tap();
  const login = since();
  await page.waitForURL(/oauth2\/authorize/, { waitUntil: 'commit' });
  const asked = since();
  await page.locator('#person').selectOption(personId);
  await page.locator('#grant').tap();
  await page.waitForURL(`${origin}/**`, { waitUntil: 'commit' });
  const discord = since() - asked;
  await fieldOf(page).waitFor();
  const settings = since();
  await fieldOf(page).fill(prefix);
  await page.locator('[data-save-bar] [type=submit]').tap();
  await page.locator('[data-save-bar] [data-good]').waitFor();
  const live = since();
  await profile.close();
  return { login, discord, settings, live };
}

function fieldOf(page: Page) {
  return page.locator('[data-field=prefix] input');
}

/** Slows the network and the processor down as Lighthouse does, here for real. */
async function slowDown(session: CDPSession): Promise<void> {
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: requestLatencyMs,
    downloadThroughput: bytesPerSecond(downloadThroughputKbps),
    uploadThroughput: bytesPerSecond(uploadThroughputKbps),
  });
  await session.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdownMultiplier });
}
