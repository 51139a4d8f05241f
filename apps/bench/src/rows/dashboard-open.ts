import { join } from 'node:path';
import { GUILDS, PEOPLE, tokenOf } from '@guild-settings/sandbox/world';
import { measurePeers } from '../rounds.ts';
import type { Row } from '../row.ts';
import { startDashboard } from '../servers/dashboard.ts';
import { logIn } from '../servers/dashboard-login.ts';
import type { OpenJob } from '../tasks/open-page.ts';
import type { RecordedRequest, RecordJob } from '../tasks/recorded-requests.ts';
import { startTask } from '../tasks/task.ts';

/** Opening the settings of a guild with a session, and what the service takes of that time. */
export const openingOfDashboard: Row = {
  id: 'dashboard-open',
  what: 'opening the settings of a guild: the document, then all that it reads; beside the same calls of the api',
  unit: 'ms',
  goal: { is: 'at most', ratio: 2 },
  async measure(context) {
    const { resources, folder, progress } = context;
    const { dashboard, api, discord } = await startDashboard(context);
    const path = `/guilds/${GUILDS[0].id}`;
    const session = await logIn(dashboard.url, discord, PEOPLE.owner.id);
    progress('recording the requests of a browser');
    const requests = await recordRequests({
      origin: dashboard.url,
      path,
      session,
      folder: join(folder, 'profile'),
    });
    const calls = requests.filter(({ path }) => path.startsWith('/trpc/'));
    const [document, ...others] = requests;
    if (document?.path !== path) throw new Error(`Expected ${path} first, received ${document?.path}`);
    const open = resources.use(startTask<OpenJob, number>('open-page', { place: 'anywhere' }));
    const ofPage = { cookie: `${session.name}=${session.value}`, 'sec-fetch-site': 'same-origin' };
    const ofCaller = { authorization: `Bearer ${tokenOf('owner')}` };
    const measured = await measurePeers(context, [
      {
        name: 'ours',
        measure: (seconds) => open({ origin: dashboard.url, headers: ofPage, steps: [[document], others], seconds }),
      },
      {
        name: 'the api alone',
        measure: (seconds) => open({ origin: api.url, headers: ofCaller, steps: [calls], seconds }),
      },
    ]);
    const names = calls.map(({ path }) => path.slice('/trpc/'.length).split('?')[0]);
    return {
      ...measured,
      notes: [`${requests.length} requests, of which ${calls.length} are calls: ${names.join(', ')}`],
    };
  },
};

async function recordRequests(job: RecordJob): Promise<RecordedRequest[]> {
  await using record = startTask<RecordJob, RecordedRequest[]>('recorded-requests', { place: 'anywhere' });
  return await record(job);
}
