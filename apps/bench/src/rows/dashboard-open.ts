import { join } from 'node:path';
import { GUILDS, PEOPLE, tokenOf } from '@guild-settings/discord-sim/testing/world';
import { measurePeers } from '../rounds.ts';
import type { Row } from '../row.ts';
import { startDashboard } from '../servers/dashboard.ts';
import { logIn } from '../servers/dashboard-login.ts';
import { median } from '../statistics.ts';
import type { Audit, AuditJob } from '../tasks/lighthouse.ts';
import type { OpenJob } from '../tasks/open-page.ts';
import type { RecordedRequest, RecordJob } from '../tasks/recorded-requests.ts';
import { startTask } from '../tasks/task.ts';

const MIN_PERFORMANCE = 98;

/**
 * Opening the settings of a guild: the document, and when it is there all that the page reads, beside the same calls of the api. And
 * what Lighthouse says of the pages.
 */
export const dashboardOpen: Row = {
  id: 'dashboard-open',
  unit: 'ms',
  goal: { is: 'at most', ratio: 2 },
  also: `Lighthouse: performance >= ${MIN_PERFORMANCE}, accessibility and best practices 100`,
  async measure(context) {
    const { resources, folder, profile, progress } = context;
    const { dashboard, api } = await startDashboard(context);
    const { url: origin } = dashboard;
    const path = `/guilds/${GUILDS[0].id}`;
    const session = await logIn(origin, PEOPLE.owner.id);

    progress('recording the requests of a browser');
    const record = resources.use(startTask<RecordJob, RecordedRequest[]>('recorded-requests', 'anywhere'));
    const [document, ...others] = await record({ origin, path, session, folder: join(folder, 'recorded') });
    if (document?.path !== path) throw new Error(`Expected ${path} first, received ${document?.path}`);
    const calls = others.filter((request) => request.path.startsWith('/trpc/'));
    const open = resources.use(startTask<OpenJob, number>('open-page', 'anywhere'));
    const ofPage = { cookie: `${session.name}=${session.value}`, 'sec-fetch-site': 'same-origin' };
    const ofCaller = { authorization: `Bearer ${tokenOf('owner')}` };
    const opened = await measurePeers(context, [
      { name: 'ours', measure: (seconds) => open({ origin, headers: ofPage, steps: [[document], others], seconds }) },
      {
        name: 'the api alone',
        measure: (seconds) => open({ origin: api.url, headers: ofCaller, steps: [calls], seconds }),
      },
    ]);

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
      notes: [`${others.length + 1} requests, of which ${calls.length} are calls`],
    };
  },
};
