import type { ApiNode } from '../cluster/api-node.ts';
import { type Fault, RESTART, some } from './fault.ts';

const HOUR = 3_600_000;

/** The bot's token holds for seven days: by a clock further ahead it has expired. */
const LONGEST_STEP = 5 * 24 * HOUR;

/** What can happen to each api process. */
export function apiFaults({ index }: ApiNode): Fault[] {
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
        api.clockStep = random.between(HOUR, LONGEST_STEP) * random.pick([1, -1]);
        await api.end('SIGKILL');
        await api.ensureUp(RESTART);
      },
    },
  ];
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
