import type { GuildId } from '@guild-settings/contract';
import type { changes, guilds } from './sqlite/schema.ts';
import type { Change, GuildEpochs, GuildState, LoggedChange, StoredGuild } from './store.ts';

export type GuildRow = typeof guilds.$inferSelect;

export type ChangeRow = typeof changes.$inferSelect;

/** In place of the epochs of a guild whose entity tag is not needed. */
export const NO_EPOCHS: GuildEpochs = { record: '', access: '' };

export function guildOf(row: GuildRow, epochs: GuildEpochs): StoredGuild {
  return {
    id: row.id,
    name: row.name,
    icon: row.icon,
    settings: row.settings,
    access: row.access,
    presence: row.presence,
    leftAt: row.leftAt,
    logged: { day: row.loggedDay, bytes: row.loggedBytes },
    revision: row.revision,
    accessRevision: row.accessRevision ?? 0,
    updatedAt: row.updatedAt,
    epochs,
  };
}

type GuildPosition = Pick<GuildRow, 'revision' | 'accessRevision' | 'updatedAt'>;

export function rowOfGuild(id: GuildId, state: GuildState, position: GuildPosition): GuildRow {
  return {
    id,
    name: state.name,
    icon: state.icon,
    settings: state.settings,
    revision: position.revision,
    access: state.access,
    accessRevision: position.accessRevision,
    presence: state.presence,
    leftAt: state.leftAt,
    updatedAt: position.updatedAt,
    loggedDay: state.logged.day,
    loggedBytes: state.logged.bytes,
  };
}

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
    unset: change.unset ?? null,
    target: change.target ?? null,
    undoneBy: null,
  };
}

export function changeOf(row: ChangeRow): LoggedChange {
  // Each field by its name: copying the rest of a row costs more than reading it from SQLite.
  return {
    revision: row.revision,
    at: row.at,
    actor: { kind: row.actorKind, id: row.actorId },
    origin: row.origin,
    reason: row.reason,
    before: row.before,
    after: row.after,
    unset: row.unset,
    target: row.target,
    undoneBy: row.undoneBy,
  };
}

export function undosIn(rows: readonly ChangeRow[]): readonly { readonly target: number; readonly revision: number }[] {
  return rows.flatMap(({ origin, target, revision }) =>
    origin === 'undo' && target !== null ? [{ target, revision }] : [],
  );
}
