import type { ApiNode } from '../cluster/api-node.ts';
import { type Fault, RESTART_TIMEOUT_MS, randomDelay } from './fault.ts';

/** Guilds for retention to erase at once, and the number of changes of each. */
const GUILDS = 1_500;
const CHANGES_EACH = 4;

/** Makes retention erase many guilds under load; the process that erases them may be killed meanwhile. */
export function retentionAtScale({ index }: ApiNode): Fault {
  return {
    name: 'retention at scale',
    target: `api ${index}`,
    async inject({ apis, database, retired }, random) {
      await database.insertRetired(retired.next(GUILDS, CHANGES_EACH), retired);
      // Retention runs at the start of a process.
      for (let start = random.between(1, 2); start > 0; start--) {
        await apis[index]?.end('SIGKILL');
        await apis[index]?.ensureUp(RESTART_TIMEOUT_MS);
        await randomDelay(random, 20, 1_500);
      }
    },
  };
}
