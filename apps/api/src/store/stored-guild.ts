import type { AccessEntry, GuildId, SetValues } from '@guild-settings/contract';

/** The presence of the bot in a guild; `unknown`: no bot has reported it. */
export type Presence = 'unknown' | 'present' | 'left';

export interface GuildState {
  readonly name: string | null;
  readonly icon: string | null;
  /** The set values, also those of names that this process does not know. All else follows its default. */
  readonly settings: SetValues;
  /** Entries of the access list; null: it was never changed. */
  readonly access: readonly AccessEntry[] | null;
  readonly presence: Presence;
  /** The time when the bot was removed, in milliseconds since 1970; null: it was not. */
  readonly leftAt: number | null;
  readonly logged: LoggedBytes;
}

/** Bytes that settings changes of a guild added to the change log on one UTC day. */
export interface LoggedBytes {
  readonly day: number;
  readonly bytes: number;
}

/** A stored guild with the revision of its last change, which is not one of its access list. */
export interface StoredGuild extends GuildState {
  readonly id: GuildId;
  /** Revision of the last change; 0: only the access list was changed. */
  readonly revision: number;
  /** Revision of the last change of the access list; 0: there was none. */
  readonly accessRevision: number;
  /** Time of the last change, in milliseconds since 1970. */
  readonly updatedAt: number;
  /** The marks of the epochs in which the two revisions were made; empty: of revision 0. */
  readonly epochs: GuildEpochs;
}

export interface GuildEpochs {
  readonly record: string;
  readonly access: string;
}
