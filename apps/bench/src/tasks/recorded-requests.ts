import type { Response } from 'playwright-core';
import type { Cookie } from '../servers/dashboard-login.ts';
import { startChromium } from './chromium.ts';
import { handleJobs } from './task.ts';

/** Opens the settings of a guild in a browser, and records what it requests. */
export interface RecordJob {
  readonly origin: string;
  readonly path: string;
  readonly session: readonly Cookie[];
  /** A folder for the profile of the browser, which does not exist yet. */
  readonly folder: string;
}

export interface RecordedRequest {
  readonly path: string;
  readonly accept: string;
}

/** The last request of the page: the events of the guild. */
const LAST = '/trpc/guilds.follow';

/** Returns the requests in the order in which they were sent, without files that a browser keeps after the first visit. */
handleJobs<RecordJob, RecordedRequest[]>(async ({ origin, path, session, folder }) => {
  await using chromium = await startChromium({ folder, url: origin, session });
  const page = await chromium.profile.newPage();
  // Discord's server of images, which the simulator is not.
  await page.route('https://cdn.discordapp.com/**', (route) => route.abort());
  const requests: RecordedRequest[] = [];
  page.on('request', (request) => {
    const { origin: of, pathname, search } = new URL(request.url());
    if (of !== origin || pathname.startsWith('/assets/') || request.method() !== 'GET') return;
    requests.push({ path: pathname + search, accept: request.headers().accept ?? '*/*' });
  });
  const isLast = (response: Response) => response.url().includes(LAST);
  await Promise.all([page.waitForResponse(isLast), page.goto(`${origin}${path}`)]);
  await page.locator('input[role="switch"]').first().waitFor();
  return requests;
});
