import { GUILDS, PEOPLE } from '@guild-settings/discord-sim/testing/world';
import type { Row } from '../row.ts';
import { startDashboard } from '../servers/dashboard.ts';
import { median } from '../statistics.ts';
import type { FirstChange, FirstChangeJob } from '../tasks/first-change.ts';
import { startTask } from '../tasks/task.ts';

/** From a link to the settings, without a session, until the first change is live: a phone on slow 4G, in Hindi. */
export const firstChange: Row = {
  id: 'dashboard-first-change',
  figure: 'A phone on slow 4G, from a link to the first change that is live',
  unit: 's',
  goal: { is: 'at most', ratio: 10 },
  async measure(context) {
    const { resources, profile, progress } = context;
    const { url: origin } = await startDashboard(context);
    const makeAll = resources.use(startTask<FirstChangeJob, FirstChange[]>('first-change', 'anywhere'));
    progress(`making ${profile.visits} first changes`);
    const found = await makeAll({
      origin,
      path: `/guilds/${GUILDS[0].id}`,
      personId: PEOPLE.owner.id,
      locale: 'hi-IN',
      runs: profile.visits,
    });
    const seconds = (of: (run: FirstChange) => number) => median(found.map(of)) / 1_000;
    const [login, settings, discord] = [
      seconds((run) => run.login),
      seconds((run) => run.settings),
      seconds((run) => run.discord),
    ];
    return {
      ours: seconds(({ live }) => live),
      peers: {},
      notes: [
        `the login after ${login.toFixed(1)} s, the settings after ${settings.toFixed(1)} s, of which ${discord.toFixed(1)} s at Discord`,
      ],
    };
  },
};
