import type { GuildId } from '@guild-settings/contract';
import type { Change } from './change.ts';
import type { GuildState, StoredGuild } from './stored-guild.ts';

export interface GuildWrite {
  readonly next: GuildState;
  readonly change: Change;
  /** True: it changes the access list, and the guild keeps its revision. False unless given. */
  readonly isOfAccess?: boolean;
}

/** Erasure of a guild with all of its history, at a time in milliseconds since 1970. */
export interface GuildErasure {
  readonly erasedAt: number;
}

export interface StoreCommand {
  readonly guildIds: readonly GuildId[];
}

/** A guild that a command names, inside the write transaction. */
export interface WriteTarget {
  readonly guildId: GuildId;
  readonly stored: StoredGuild | null;
  readonly wasPresent: () => boolean;
}

/**
 * Interprets a command for one of its guilds inside the write transaction. Returns null to leave the guild alone. It is
 * synchronous, and the store calls it again when it retries a transaction. What it throws rejects the write: nothing of the
 * command is written.
 */
export type ApplyCommand<Command extends StoreCommand> = (
  command: Command,
  target: WriteTarget,
) => GuildWrite | GuildErasure | null;

export interface WriteResult {
  /** The stored guilds after the transaction, in the order of the command's guild ids. */
  readonly guilds: readonly (StoredGuild | null)[];
  readonly written: number;
  readonly changes: readonly Change[];
  readonly revision: number;
}

/** Outcome of one of several commands: its result, or what {@link ApplyCommand} threw. */
export type WriteOutcome = { readonly result: WriteResult } | { readonly refusal: unknown };
