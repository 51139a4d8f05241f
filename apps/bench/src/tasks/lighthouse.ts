import lighthouse from 'lighthouse';
import type { Cookie } from '../servers/dashboard-login.ts';
import { startChromium } from './chromium.ts';
import { handleJobs } from './task.ts';

/** Audits a page as a phone on a slow network loads it for the first time. */
export interface AuditJob {
  readonly origin: string;
  readonly path: string;
  readonly session?: readonly Cookie[];
  readonly runs: number;
  /** A folder for the profile of the browser, which does not exist yet. */
  readonly folder: string;
}

export interface Audit {
  readonly performance: number;
  /** Ids of the audits of accessibility and best practices that failed. */
  readonly failed: readonly string[];
}

handleJobs<AuditJob, Audit[]>(async ({ origin, path, session, runs, folder }) => {
  await using chromium = await startChromium({ folder, url: origin, session });
  const audits: Audit[] = [];
  for (let run = 0; run < runs; run++) audits.push(await audit(`${origin}${path}`, chromium.port));
  return audits;
});

/** Audits with Lighthouse's own defaults: a phone, "slow 4G" and a fourth of the speed, simulated; without a cache. */
async function audit(url: string, port: number): Promise<Audit> {
  const result = await lighthouse(url, {
    port,
    logLevel: 'error',
    onlyCategories: ['performance', 'accessibility', 'best-practices'],
    // Discord's server of images, which the simulator is not.
    blockedUrlPatterns: ['https://cdn.discordapp.com/*'],
  });
  const report = result?.lhr;
  if (report === undefined || report.runtimeError) {
    throw new Error(`Expected a report of ${url}, received ${report?.runtimeError?.message}`);
  }
  const { audits, categories } = report;
  const judged = ['accessibility', 'best-practices'].flatMap((category) => categories[category]?.auditRefs ?? []);
  return {
    performance: Math.round((categories.performance?.score ?? 0) * 100),
    failed: judged.filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 1).map(({ id }) => id),
  };
}
