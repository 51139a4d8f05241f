import lighthouse from 'lighthouse';
import type { Cookie } from '../servers/dashboard-login.ts';
import { startChromium } from './chromium.ts';
import { handleJobs } from './task.ts';

/** Audits a page as a phone on a slow network loads it for the first time. */
export interface LighthouseJob {
  readonly origin: string;
  readonly path: string;
  readonly session?: Cookie;
  readonly runs: number;
  /** A folder for profiles of browsers, which does not exist yet. */
  readonly folder: string;
}

/** Scores from 0 to 100, and times in milliseconds. */
export interface LighthouseRun {
  readonly performance: number;
  readonly accessibility: number;
  readonly bestPractices: number;
  readonly firstPaint: number;
  readonly largestPaint: number;
  readonly blocked: number;
  readonly layoutShift: number;
  /** Ids of the audits of accessibility and best practices that failed. */
  readonly failed: readonly string[];
}

/** Discord's server of images, which the simulator is not. */
const BLOCKED = ['https://cdn.discordapp.com/*'];

handleJobs<LighthouseJob, LighthouseRun[]>(async ({ origin, path, session, runs, folder }) => {
  await using chromium = await startChromium({ folder, url: origin, session });
  const results: LighthouseRun[] = [];
  for (let run = 0; run < runs; run++) results.push(await audit(`${origin}${path}`, chromium.port));
  return results;
});

/** Audits with Lighthouse's own defaults: a phone, "slow 4G" and a fourth of the speed, simulated; without a cache. */
async function audit(url: string, port: number): Promise<LighthouseRun> {
  const result = await lighthouse(url, {
    port,
    logLevel: 'error',
    onlyCategories: ['performance', 'accessibility', 'best-practices'],
    blockedUrlPatterns: BLOCKED,
  });
  const report = result?.lhr;
  if (report === undefined || report.runtimeError) {
    throw new Error(`Expected a report of ${url}, received ${report?.runtimeError?.message}`);
  }
  const { audits, categories } = report;
  const score = (category: string) => Math.round((categories[category]?.score ?? 0) * 100);
  const value = (id: string) => audits[id]?.numericValue ?? Number.NaN;
  const judged = ['accessibility', 'best-practices'].flatMap((category) => categories[category]?.auditRefs ?? []);
  return {
    performance: score('performance'),
    accessibility: score('accessibility'),
    bestPractices: score('best-practices'),
    firstPaint: value('first-contentful-paint'),
    largestPaint: value('largest-contentful-paint'),
    blocked: value('total-blocking-time'),
    layoutShift: value('cumulative-layout-shift'),
    failed: judged.filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 1).map(({ id }) => id),
  };
}
