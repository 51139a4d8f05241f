import type { ActorKind, ChangeOrigin, GuildId } from '@guild-settings/contract';

/** Fields that follow their defaults, before and after a change. */
export interface UnsetFields {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

export interface Change {
  readonly at: number;
  readonly actor: { readonly kind: ActorKind; readonly id: string };
  readonly origin: ChangeOrigin;
  readonly reason: string | null;
  readonly before: Readonly<Record<string, unknown>>;
  readonly after: Readonly<Record<string, unknown>>;
  /** The changed fields that followed their defaults; null: none, before and after. */
  readonly unset?: UnsetFields | null;
  /** The revision that an undo undoes, or that a restore puts back; null: neither. */
  readonly target?: number | null;
}

export interface LoggedChange extends Change {
  readonly revision: number;
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

export interface LogBounds {
  readonly oldest: number;
  readonly newest: number;
}
