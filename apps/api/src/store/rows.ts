import type { GuildId } from '@guild-settings/contract';
import type { changes, guilds } from './sqlite/schema.ts';
import type { Change, GuildState, StoredGuild } from './store.ts';

/** A row of `guilds`, the same in every store. */
export type GuildRow = typeof guilds.$inferSelect;

/** A row of `changes`, the same in every store. */
export type ChangeRow = typeof changes.$inferSelect;

/** A guild's row as the service knows it. */
export function guildOf(row: GuildRow): StoredGuild {
  return {
    id: row.id,
    name: row.name,
    icon: row.icon,
    settings: {
      prefix: row.prefix,
      announcement_channel: row.announcementChannel,
      beta: row.beta,
      language: row.language,
      enabledFeatures: row.enabledFeatures,
    },
    presence: row.presence,
    leftAt: row.leftAt,
    logged: { day: row.loggedDay, bytes: row.loggedBytes },
    revision: row.revision,
    updatedAt: row.updatedAt,
  };
}

/** The row of a guild at a revision. */
export function rowOfGuild(id: GuildId, state: GuildState, revision: number, at: number): GuildRow {
  const { settings } = state;
  return {
    id,
    name: state.name,
    icon: state.icon,
    prefix: settings.prefix,
    announcementChannel: settings.announcement_channel,
    beta: settings.beta,
    language: settings.language,
    enabledFeatures: settings.enabledFeatures,
    revision,
    presence: state.presence,
    leftAt: state.leftAt,
    updatedAt: at,
    loggedDay: state.logged.day,
    loggedBytes: state.logged.bytes,
  };
}

/** The row of a change at its revision. */
export function rowOfChange(guildId: GuildId, change: Change, revision: number): ChangeRow {
  return {
    revision,
    guildId,
    at: change.at,
    actorKind: change.actor.kind,
    actorId: change.actor.id,
    origin: change.origin,
    reason: change.reason,
    before: change.before,
    after: change.after,
  };
}
