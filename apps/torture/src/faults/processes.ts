import type { ApiNode } from '../cluster/api-node.ts';
import { type Fault, RESTART, some } from './fault.ts';
import { retentionAtScale } from './retention.ts';

const HOUR = 3_600_000;

/** The bot's token holds for seven days: by a clock further ahead it has expired. */
const LONGEST_STEP = 5 * 24 * HOUR;

/** Steps of a running process's clock: the machine's time is set, or set back to what it was. */
const LIVE_STEPS = [0, HOUR, 30 * 24 * HOUR];

/** What can happen to each api process. */
export function apiFaults(api: ApiNode): Fault[] {
  const { index } = api;
  const target = `api ${index}`;
  return [
    {
      name: 'api killed',
      target,
      async inflict({ apis }, random) {
        await apis[index]?.end('SIGKILL');
        await some(random, 0, 500);
        await apis[index]?.ensureUp(RESTART);
      },
    },
    {
      name: 'api stopped for a while',
      target,
      async inflict({ apis }, random) {
        apis[index]?.signal('SIGSTOP');
        await some(random, 200, 2_000);
        apis[index]?.signal('SIGCONT');
      },
    },
    {
      name: 'clock of an api stepped',
      target,
      async inflict({ apis }, random) {
        const api = apis[index];
        if (api === undefined) return;
        api.stepClock(random.between(HOUR, LONGEST_STEP) * random.pick([1, -1]));
        await api.end('SIGKILL');
        await api.ensureUp(RESTART);
      },
    },
    {
      name: 'clock of a live api stepped',
      target,
      async inflict({ apis }, random) {
        const steps = random.between(1, 4);
        for (let step = 0; step < steps; step++) {
          apis[index]?.stepClock(random.pick(LIVE_STEPS) * random.pick([1, -1]));
          await some(random, 50, 1_000);
        }
      },
    },
    versionChanged(index, target),
    retentionAtScale(api),
  ];
}

/**
 * A rolling upgrade, or a step back: the database is migrated to the newest version while all serve, then a process goes on
 * as the other version than it was.
 */
function versionChanged(index: number, target: string): Fault {
  return {
    name: 'version of an api changed',
    target,
    async inflict({ apis, versions: [first, next], postgres }, random) {
      const api = apis[index];
      if (api === undefined) return;
      if (postgres && !(await postgres.migrate(next))) return;
      api.main = api.main === first.main ? next.main : first.main;
      await api.end(random.pick(['SIGTERM', 'SIGKILL']));
      await api.ensureUp(RESTART);
    },
  };
}

export const botKilled: Fault = {
  name: 'bot killed',
  target: 'bot',
  async inflict({ bot }, random) {
    await bot.end('SIGKILL');
    await some(random, 100, 1_000);
    bot.ensureUp();
  },
};
