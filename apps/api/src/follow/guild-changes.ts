import { CUSTOM, type FieldChanges, type FollowEvent, type Guild, type HistoryEntry } from '@guild-settings/contract';

/** Returns a record with the values of a change, and the event that describes it. */
export function eventOfChange(
  record: Guild,
  entry: HistoryEntry,
): { readonly guild: Guild; readonly event: FollowEvent } {
  const { revision, at, actor, origin, reason, changes } = entry;
  const guild = { ...record, ...valuesIn(record, changes, ''), ...customAfter(record, changes) } as Guild;
  const presence = changes.presence?.to;
  if (typeof presence === 'string') return { guild, event: { type: 'presence', revision, at, presence, guild } };
  return { guild, event: { type: 'changed', revision, at, actor, origin, reason, changes, guild } };
}

/** Returns the values after a change of the fields with a prefix that an object has, by their names in it. */
function valuesIn(object: object, changes: FieldChanges, prefix: string): Readonly<Record<string, unknown>> {
  const values = Object.entries(changes)
    .filter(([field]) => field.startsWith(prefix))
    .map(([field, { to }]) => [field.slice(prefix.length), to] as const)
    .filter(([name, to]) => Object.hasOwn(object, name) && (to !== null || name === 'icon'));
  return Object.fromEntries(values);
}

function customAfter({ custom }: Guild, changes: FieldChanges): Pick<Guild, 'custom'> {
  return custom === undefined ? {} : { custom: { ...custom, ...valuesIn(custom, changes, CUSTOM) } as typeof custom };
}
