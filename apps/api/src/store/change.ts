import type { ActorKind, ChangeOrigin, GuildId } from '@guild-settings/contract';

/** Fields that follow their defaults, before and after a change. */
export interface UnsetFields {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** A change as the change log records it, without the revision that the store assigns. */
export interface Change {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly actor: { readonly kind: ActorKind; readonly id: string };
  readonly origin: ChangeOrigin;
  readonly reason: string | null;
  /** The values in effect of the changed fields before the change. */
  readonly before: Readonly<Record<string, unknown>>;
  /** The values in effect of the changed fields after the change. */
  readonly after: Readonly<Record<string, unknown>>;
  /** The changed fields that followed their defaults; null: none, before and after. */
  readonly unset?: UnsetFields | null;
  /** The revision that an undo undoes, or that a restore puts back; null: neither. */
  readonly target?: number | null;
}

export interface LoggedChange extends Change {
  readonly revision: number;
  /** The newest change that undid this one; null: none. */
  readonly undoneBy: number | null;
}

/** Changes of a guild between two revisions, both exclusive. */
export interface HistoryRange {
  readonly guildId: GuildId;
  readonly after: number;
  readonly before: number;
  readonly order: 'oldest-first' | 'newest-first';
  readonly limit: number;
}

/** The revisions that the change log is complete for. */
export interface LogBounds {
  /** The oldest revision from which on the log is complete. */
  readonly oldest: number;
  /** The newest revision. */
  readonly newest: number;
}
