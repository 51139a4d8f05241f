import type { ApiNode } from '../cluster/api-node.ts';
import { type Fault, RESTART, some } from './fault.ts';

/** Guilds for retention to erase at once, and changes of each. */
const GUILDS = 1_500;
const CHANGES_EACH = 4;

/** Much falls due for retention while all write; the process that erases it is killed in the middle, or not. */
export function retentionAtScale({ index }: ApiNode): Fault {
  return {
    name: 'retention at scale',
    target: `api ${index}`,
    async inflict({ apis, database, retired }, random) {
      await database.retire(retired.next(GUILDS, CHANGES_EACH), retired);
      // It runs when a process starts.
      for (let start = random.between(1, 2); start > 0; start--) {
        await apis[index]?.end('SIGKILL');
        await apis[index]?.ensureUp(RESTART);
        await some(random, 20, 1_500);
      }
    },
  };
}
