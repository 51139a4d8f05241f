import type { ApiNode } from '../cluster/api-node.ts';
import type { BotNode } from '../cluster/bot-node.ts';
import { type Fault, RESTART_TIMEOUT_MS, randomDelay } from './fault.ts';

const HOUR_MS = 3_600_000;

/** Less than the seven days after which the bot's token expires. */
const MAX_STEP_MS = 5 * 24 * HOUR_MS;

/** Clock offsets of a running process. */
const LIVE_STEPS_MS = [0, HOUR_MS, 30 * 24 * HOUR_MS];

export function apiFaults(api: ApiNode): Fault[] {
  const target = `api ${api.index}`;
  return [
    {
      name: 'api killed',
      target,
      async inject(_cluster, random) {
        await api.end('SIGKILL');
        await randomDelay(random, 0, 500);
        await api.ensureUp(RESTART_TIMEOUT_MS);
      },
    },
    {
      name: 'api stopped for a while',
      target,
      async inject(_cluster, random) {
        api.signal('SIGSTOP');
        await randomDelay(random, 200, 2_000);
        api.signal('SIGCONT');
      },
    },
    {
      name: 'clock of an api stepped',
      target,
      async inject(_cluster, random) {
        api.stepClock(random.between(HOUR_MS, MAX_STEP_MS) * random.pick([1, -1]));
        await api.end('SIGKILL');
        await api.ensureUp(RESTART_TIMEOUT_MS);
      },
    },
    {
      name: 'clock of a live api stepped',
      target,
      async inject(_cluster, random) {
        const steps = random.between(1, 4);
        for (let step = 0; step < steps; step++) {
          api.stepClock(random.pick(LIVE_STEPS_MS) * random.pick([1, -1]));
          await randomDelay(random, 50, 1_000);
        }
      },
    },
    versionChanged(api, target),
    retentionAtScale(api),
  ];
}

/**
 * A rolling upgrade or downgrade: the database is migrated to the newest version while all processes serve, then one process
 * restarts as the other version.
 */
function versionChanged(api: ApiNode, target: string): Fault {
  return {
    name: 'version of an api changed',
    target,
    async inject({ versions: [first, next], postgres }, random) {
      if (postgres && !(await postgres.migrate(next))) return;
      api.main = api.main === first.main ? next.main : first.main;
      await api.end(random.pick(['SIGTERM', 'SIGKILL']));
      await api.ensureUp(RESTART_TIMEOUT_MS);
    },
  };
}

export function botKilled(bot: BotNode): Fault {
  return {
    name: 'bot killed',
    target: bot.name,
    async inject(_, random) {
      await bot.end('SIGKILL');
      await randomDelay(random, 100, 1_000);
      bot.ensureUp();
    },
  };
}

/** Guilds for retention to erase at once, and the number of changes of each. */
const GUILDS = 1_500;
const CHANGES_EACH = 4;

/** Makes retention erase many guilds under load; the process that erases them may be killed meanwhile. */
function retentionAtScale(api: ApiNode): Fault {
  return {
    name: 'retention at scale',
    target: `api ${api.index}`,
    async inject({ database, retired }, random) {
      await database.insertRetired(retired.next(GUILDS, CHANGES_EACH), retired);
      // Retention runs at the start of a process.
      for (let start = random.between(1, 2); start > 0; start--) {
        await api.end('SIGKILL');
        await api.ensureUp(RESTART_TIMEOUT_MS);
        await randomDelay(random, 20, 1_500);
      }
    },
  };
}
