import type { Guild, GuildId } from '@guild-settings/contract';

/** All known guilds. `undefined`: the record has not been read from the file since the start. */
export type GuildRecords = Map<GuildId, Readonly<Guild> | undefined>;

/** Guilds whose records are all in the file. */
export function unread(guildIds: readonly GuildId[]): GuildRecords {
  // Not by `new Map(guildIds.map(…))`: a pair for each guild is garbage that the bot's first moments would be spent on.
  const guilds: GuildRecords = new Map();
  for (const guildId of guildIds) guilds.set(guildId, undefined);
  return guilds;
}

/** Freezes a record, for it is handed out to everyone. */
export function frozen(guild: Guild): Readonly<Guild> {
  Object.freeze(guild.enabledFeatures);
  return Object.freeze(guild);
}
