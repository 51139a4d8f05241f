import type { History, Snapshot, Watched } from '../history.ts';

export function differencesOf({ name, records }: Pick<Watched, 'name' | 'records'>, { guilds }: Snapshot): string[] {
  const ids = new Set([...records.keys(), ...guilds.keys()]);
  return [...ids].flatMap((id) => {
    const [here, there] = [records.get(id), guilds.get(id)];
    const isSame =
      here?.revision === there?.revision && here?.prefix === there?.prefix && here?.channel === there?.channel;
    return isSame
      ? []
      : [`${name}: ${id} is ${here?.prefix} at ${here?.revision}, not ${there?.prefix} at ${there?.revision}`];
  });
}

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
