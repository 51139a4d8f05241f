import type { Snapshot, Watched } from '../history.ts';

/** Describes the guilds in which a watcher differs from the store. */
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
