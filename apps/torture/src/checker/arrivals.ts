import type { History } from '../history.ts';

/**
 * Finds changes that were answered as live while the replica of a bot had an older record, or none. A switch of a guild without
 * changes may have had nothing to do, and is answered with revision 0.
 */
export function falselyLive({ arrived, erasable }: Pick<History, 'arrived' | 'erasable'>): string[] {
  return arrived.flatMap(({ guild, revision, replicas }) =>
    replicas.flatMap((replica, bot) => {
      const isBehind = replica === undefined ? revision > 0 && !erasable.has(guild) : replica < revision;
      return isBehind ? [`revision ${revision} of ${guild} was live, bot ${bot} had ${replica}`] : [];
    }),
  );
}
