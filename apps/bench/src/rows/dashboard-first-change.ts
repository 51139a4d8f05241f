import { GUILDS, PEOPLE } from '@guild-settings/sandbox/world';
import type { Row } from '../row.ts';
import { startDashboard } from '../servers/dashboard.ts';
import { median } from '../statistics.ts';
import type { FirstChange, FirstChangeJob } from '../tasks/first-change.ts';
import { startTask } from '../tasks/task.ts';

/** Runs per second of a round: a full run has five, a quick one has one. */
const RUNS_PER_SECOND = 2.5;

/** What a manager waits for from the link to the first change. */
export const firstChange: Row = {
  id: 'dashboard-first-change',
  what: 'from a link to the settings, without a session, to the first change that is live: a phone, slow 4G, in Hindi',
  unit: 's',
  goal: { is: 'at most', ratio: 10 },
  async measure(context) {
    const { resources, profile, progress } = context;
    const { dashboard } = await startDashboard(context, { isOtherSite: true });
    const makeAll = resources.use(startTask<FirstChangeJob, FirstChange[]>('first-change', { place: 'anywhere' }));
    const runs = Math.ceil(profile.roundSeconds * RUNS_PER_SECOND);
    progress(`making ${runs} first changes`);
    const path = `/guilds/${GUILDS[0].id}`;
    const found = await makeAll({ origin: dashboard.url, path, personId: PEOPLE.owner.id, locale: 'hi-IN', runs });
    const seconds = (of: (run: FirstChange) => number) => median(found.map(of)) / 1_000;
    const ours = seconds(({ live }) => live);
    const atDiscord = seconds(({ discord }) => discord).toFixed(1);
    const [login, settings] = [seconds((run) => run.login).toFixed(1), seconds((run) => run.settings).toFixed(1)];
    return {
      ours,
      peers: {},
      ratio: ours,
      notes: [
        `the login after ${login} s, the settings after ${settings} s, of which ${atDiscord} s at Discord; nobody reads or types`,
      ],
    };
  },
};
