import { isDeepStrictEqual } from 'node:util';
import { DEFAULT_SETTINGS, type Guild, type GuildId, RecordSettings } from '@guild-settings/contract';

/** All known guilds. `undefined`: not loaded from the file yet. */
export type GuildRecords = Map<GuildId, Readonly<Guild> | undefined>;

/** The settings of a guild that the service has no record of. */
export const DEFAULTS: Readonly<RecordSettings> = Object.freeze({ ...DEFAULT_SETTINGS, enabledFeatures: [] });
Object.freeze(DEFAULTS.enabledFeatures);

const SETTING_NAMES = RecordSettings.keyof().options;

/** Returns guilds whose records are all in the file. */
export function unread(guildIds: readonly GuildId[]): GuildRecords {
  // Not `new Map(guildIds.map(…))`, which creates an array for each guild.
  const guilds: GuildRecords = new Map();
  for (const guildId of guildIds) guilds.set(guildId, undefined);
  return guilds;
}

/** Freezes a record, because all callers share it. */
export function frozen(guild: Guild): Readonly<Guild> {
  Object.freeze(guild.enabledFeatures);
  return Object.freeze(guild);
}

/** Whether two records have the same settings, whatever their names and icons are. */
export function hasSameSettings(a: Readonly<RecordSettings>, b: Readonly<RecordSettings>): boolean {
  return a === b || SETTING_NAMES.every((name) => isDeepStrictEqual(a[name], b[name]));
}
