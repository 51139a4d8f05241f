import type { FollowEvent, Guild, HistoryEntry } from '@guild-settings/contract';

/** Returns a record with the values of a change, and the event that describes it. */
export function eventOfChange(
  record: Guild,
  entry: HistoryEntry,
): { readonly guild: Guild; readonly event: FollowEvent } {
  const { revision, at, actor, origin, reason, changes } = entry;
  const values = Object.entries(changes)
    .filter(([field, { to }]) => Object.hasOwn(record, field) && (to !== null || field === 'icon'))
    .map(([field, { to }]) => [field, to]);
  const guild = { ...record, ...Object.fromEntries(values) } as Guild;
  const presence = changes.presence?.to;
  if (typeof presence === 'string') return { guild, event: { type: 'presence', revision, at, presence, guild } };
  return { guild, event: { type: 'changed', revision, at, actor, origin, reason, changes, guild } };
}
