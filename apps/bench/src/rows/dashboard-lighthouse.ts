import { join } from 'node:path';
import { GUILDS, PEOPLE } from '@guild-settings/sandbox/world';
import type { BenchContext } from '../context.ts';
import type { Measurement, Row } from '../row.ts';
import { startDashboard } from '../servers/dashboard.ts';
import { type Cookie, logIn } from '../servers/dashboard-login.ts';
import { median } from '../statistics.ts';
import type { LighthouseJob, LighthouseRun } from '../tasks/lighthouse.ts';
import { startTask } from '../tasks/task.ts';

/** Runs per second of a round: a full run has five, a quick one has one. */
const RUNS_PER_SECOND = 2.5;

interface AuditedPage {
  readonly path: string;
  readonly isLoggedIn: boolean;
}

/** The login, as every visitor sees it first. */
export const lighthouseOfLogin = rowOf('login', { path: '/', isLoggedIn: false });

/** The list of guilds. */
export const lighthouseOfGuilds = rowOf('guilds', { path: '/', isLoggedIn: true });

/** The settings of a guild. */
export const lighthouseOfSettings = rowOf('settings', { path: `/guilds/${GUILDS[0].id}`, isLoggedIn: true });

function rowOf(name: string, page: AuditedPage): Row {
  return {
    id: `dashboard-lighthouse-${name}`,
    what: `Lighthouse's score of performance: the page ${name} on a phone, simulated slow 4G`,
    unit: 'points',
    goal: { is: 'at least', ratio: 98 },
    also: 'accessibility and best practices 100',
    measure: (context) => audit(context, page),
  };
}

async function audit(context: BenchContext, { path, isLoggedIn }: AuditedPage): Promise<Measurement> {
  const { resources, folder, profile, progress } = context;
  const { dashboard, discord } = await startDashboard(context);
  const session: Cookie | undefined = isLoggedIn ? await logIn(dashboard.url, discord, PEOPLE.owner.id) : undefined;
  const runAll = resources.use(startTask<LighthouseJob, LighthouseRun[]>('lighthouse', { place: 'anywhere' }));
  const runs = Math.ceil(profile.roundSeconds * RUNS_PER_SECOND);
  progress(`loading the page ${runs} times`);
  const found = await runAll({
    origin: dashboard.url,
    path,
    runs,
    folder: join(folder, 'profile'),
    ...(session && { session }),
  });
  const middle = (of: (run: LighthouseRun) => number) => median(found.map(of));
  const seconds = (ms: number) => `${(ms / 1_000).toFixed(2)} s`;
  const failed = [...new Set(found.flatMap((run) => run.failed))];
  const performance = middle((run) => run.performance);
  const [accessibility, bestPractices] = [middle((run) => run.accessibility), middle((run) => run.bestPractices)];
  return {
    ours: performance,
    peers: {},
    ratio: performance,
    alsoMet: accessibility === 100 && bestPractices === 100,
    notes: [
      `accessibility ${accessibility}, best practices ${bestPractices}${failed.length > 0 ? `: ${failed.join(', ')}` : ''}`,
      `first paint ${seconds(middle((run) => run.firstPaint))}, largest ${seconds(middle((run) => run.largestPaint))}, blocked ${Math.round(middle((run) => run.blocked))} ms, layout shift ${middle((run) => run.layoutShift).toFixed(3)}`,
    ],
  };
}
