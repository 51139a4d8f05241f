import { join } from 'node:path';
import { GUILDS, PEOPLE, tokenOf } from '@guild-settings/discord-sim/testing/world';
import type { BenchContext } from '../context.ts';
import { short } from '../report/report.ts';
import { type Compared, measurePeers } from '../rounds.ts';
import type { Row } from '../row.ts';
import { startDashboard } from '../servers/dashboard.ts';
import { type Cookie, logIn } from '../servers/dashboard-login.ts';
import { startPostgres } from '../servers/postgres.ts';
import { median } from '../statistics.ts';
import type { Audit, AuditJob } from '../tasks/lighthouse.ts';
import type { OpenJob } from '../tasks/open-page.ts';
import type { RecordedRequest, RecordJob } from '../tasks/recorded-requests.ts';
import { startTask } from '../tasks/task.ts';

const MIN_PERFORMANCE = 98;

/**
 * All that an opened settings page reads with its session, beside the same calls with a token at the same server. And what Lighthouse
 * says of the pages.
 */
export const dashboardOpen: Row = {
  id: 'dashboard-open',
  unit: 'ms',
  goal: { is: 'at most', ratio: 1.3 },
  also: `Lighthouse: performance >= ${MIN_PERFORMANCE}, accessibility and best practices 100`,
  async measure(context) {
    const { resources, folder, profile, progress } = context;
    const { url: origin } = await startDashboard(context);
    const path = `/guilds/${GUILDS[0].id}`;
    const session = await logIn(origin, PEOPLE.owner.id);

    progress('recording the requests of a browser');
    const record = resources.use(startTask<RecordJob, RecordedRequest[]>('recorded-requests', 'anywhere'));
    const requests = await record({ origin, path, session, folder: join(folder, 'recorded') });
    const calls = requests.filter((request) => request.path.startsWith('/trpc/'));
    const opened = await compareCalls(context, origin, { calls, session });
    const { url: onPostgres } = await startDashboard(context, (await startPostgres(context))('ours'));
    const other = await compareCalls(context, onPostgres, { calls, session: await logIn(onPostgres, PEOPLE.owner.id) });

    progress(`auditing each page ${profile.visits} times`);
    const audit = resources.use(startTask<AuditJob, Audit[]>('lighthouse', 'anywhere'));
    const pages = [
      { name: 'login', path: '/' },
      { name: 'guilds', path: '/', session },
      { name: 'settings', path, session },
    ];
    const scores: string[] = [];
    const failures = new Set<string>();
    let isMet = true;
    for (const { name, ...page } of pages) {
      const audits = await audit({ origin, ...page, runs: profile.visits, folder: join(folder, name) });
      const performance = median(audits.map((one) => one.performance));
      scores.push(`${name} ${performance}`);
      for (const failure of audits.flatMap(({ failed }) => failed)) failures.add(failure);
      isMet &&= performance >= MIN_PERFORMANCE;
    }
    return {
      ...opened,
      also: { found: [...scores, ...failures].join(', '), isMet: isMet && failures.size === 0 },
      notes: [
        `${calls.length} calls, beside ${requests.length - calls.length} other requests`,
        `on PostgreSQL ${short(other.ours)} ms, ${short(other.ratio)} x those with a token`,
      ],
    };
  },
};

interface Calls {
  readonly calls: readonly RecordedRequest[];
  readonly session: readonly Cookie[];
}

/** Measures the calls of a page, which are sent at once, with its session and with a token of the same person. */
async function compareCalls(context: BenchContext, origin: string, { calls, session }: Calls): Promise<Compared> {
  const open = context.resources.use(startTask<OpenJob, number>('open-page', 'anywhere'));
  const ofPage = {
    cookie: session.map(({ name, value }) => `${name}=${value}`).join('; '),
    'sec-fetch-site': 'same-origin',
  };
  const ofCaller = { authorization: `Bearer ${tokenOf('owner')}` };
  const withoutPerson = calls.map(({ path, accept }) => ({ path: withoutParameter(path), accept }));
  return measurePeers(context, [
    { name: 'ours', measure: (seconds) => open({ origin, headers: ofPage, requests: calls, seconds }) },
    {
      name: 'with a token',
      measure: (seconds) => open({ origin, headers: ofCaller, requests: withoutPerson, seconds }),
    },
  ]);
}

/** Returns the address of a call without the person for whom the page was opened, which belongs to a session. */
function withoutParameter(path: string): string {
  const url = new URL(path, 'http://page');
  url.searchParams.delete('requested-for');
  return `${url.pathname}${url.search}`;
}
