import type { WatchedGuild } from '@guild-settings/contract';
import { CUSTOM, type SetValues } from '@guild-settings/contract/settings';

/** Returns what is set of a guild, by field, with its other fields as they are: of a later version, its name and icon. */
export function setValuesOf({ guild, unset = [] }: WatchedGuild): SetValues {
  const { custom = {}, ...fields } = guild;
  const values: Record<string, unknown> = fields;
  for (const field of unset) delete values[field];
  for (const [name, value] of Object.entries(custom)) values[`${CUSTOM}${name}`] = value;
  return values;
}
