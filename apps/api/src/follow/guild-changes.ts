import { type DeclaredSettings, type FollowEvent, fits, type Guild, type SettingValue } from '@guild-settings/contract';
import { entryOf, isOfAccess } from '../domain/history-entry.ts';
import type { LoggedChange } from '../store/guild-store.ts';

export function eventOfChange(
  record: Guild,
  change: LoggedChange,
  settings: DeclaredSettings,
): { readonly guild: Guild; readonly event: FollowEvent } {
  const { revision, at, actor, origin, reason, changes } = entryOf(change);
  if (isOfAccess(change)) {
    return { guild: record, event: { type: 'access', revision, at, actor, origin, reason, changes } };
  }
  const guild = recordAfter(record, change, settings);
  const presence = changes.presence?.to;
  if (typeof presence === 'string') return { guild, event: { type: 'presence', revision, at, presence, guild } };
  return { guild, event: { type: 'changed', revision, at, actor, origin, reason, changes, guild } };
}

/** Returns a record with the values of a change. Settings that follow a default have that of now. */
function recordAfter(record: Guild, { after, unset }: LoggedChange, { byField }: DeclaredSettings): Guild {
  const values: Record<string, unknown> = { ...record };
  const custom: Record<string, SettingValue> = { ...record.custom };
  for (const [field, to] of Object.entries(after)) {
    const setting = byField.get(field);
    if (setting === undefined) {
      if (Object.hasOwn(record, field) && (to !== null || field === 'icon')) values[field] = to;
      continue;
    }
    const value = fits(setting, to) && !unset?.after.includes(field) ? to : setting.default;
    if (setting.place === 'record') values[field] = value;
    else custom[setting.name] = value;
  }
  return { ...values, ...(record.custom && { custom }) } as Guild;
}
