import { randomBytes } from 'node:crypto';
import type { GuildId, Snowflake } from '@guild-settings/contract';
import type { ChangeRow } from '../rows.ts';
import type { erasures } from '../sqlite/schema.ts';
import type { StoredGuild } from '../store.ts';
import type { ErasureCipher } from './erasure-cipher.ts';
import type { LedgerEntry } from './erasure-ledger.ts';

/** Row of `erasures`, of one type in all stores. */
export type ErasureRow = typeof erasures.$inferSelect;

/** An erasure to write: its guild, and its row. */
export interface BatchErasure {
  readonly guildId: GuildId;
  /** Whether anything was stored. Otherwise the row is written only if no erasure of the guild is known. */
  readonly hadState: boolean;
  readonly row: ErasureRow;
}

/** Identifies an erasure in the table and in the ledger. */
function newErasureId(): string {
  return randomBytes(16).toString('base64url');
}

interface GuildErasureOptions {
  readonly cipher: ErasureCipher;
  readonly stored: StoredGuild | null;
  readonly at: number;
  /** Revision up to which the guild's changes are erased. */
  readonly revision: number;
}

/** Returns the row of a requested erasure of a guild. Its history is still to be deleted. */
export function rowOfGuildErasure(id: GuildId, { cipher, stored, at, revision }: GuildErasureOptions): ErasureRow {
  return {
    id: newErasureId(),
    kind: 'guild',
    hash: cipher.hash('guild', id),
    at,
    revision,
    wasPresent: stored?.presence === 'present',
    isRequested: true,
    sealed: cipher.seal(id),
    isClean: false,
  };
}

/** Returns the row of a request to erase a person's id from the changes up to a revision. */
export function rowOfPersonErasure(
  id: Snowflake,
  { cipher, at, revision }: Omit<GuildErasureOptions, 'stored'>,
): ErasureRow {
  return {
    id: newErasureId(),
    kind: 'person',
    hash: cipher.hash('person', id),
    at,
    revision,
    wasPresent: false,
    isRequested: true,
    sealed: cipher.seal(id),
    isClean: false,
  };
}

/** Returns the row of an erasure of the ledger about what the database does not have. */
export function rowOfUnknownErasure({ id, kind, hash, at }: LedgerEntry): ErasureRow {
  return { id, kind, hash, at, revision: 0, wasPresent: false, isRequested: true, sealed: null, isClean: true };
}

/** Returns the row of an erasure of the ledger about a person who is erased from the changes up to a revision. */
export function rowOfAppliedErasure(entry: LedgerEntry, revision: number): ErasureRow {
  return { ...rowOfUnknownErasure(entry), revision, isClean: false };
}

/** Returns the row of a guild that retention has erased, with its history. */
export function rowOfRetention(id: GuildId, options: Omit<GuildErasureOptions, 'stored'>): ErasureRow {
  return { ...rowOfGuildErasure(id, { ...options, stored: null }), isRequested: false, sealed: null, isClean: true };
}

/** The author of the line of an erasure: retention, or a request of the owner or the application. */
export type ErasedBy = 'retention' | 'request';

/**
 * Returns the line of an erasure in the change log. It has no content, and the guild's id is sealed. `after` is not null, so
 * that processes of a version without sealed ids do not read the line as the erasure of a guild with that id.
 */
export function rowOfErasureLine(sealed: string, { at, revision, by }: LineOptions): ChangeRow {
  return {
    revision,
    guildId: sealed,
    at,
    actorKind: 'platform',
    actorId: by,
    origin: 'platform',
    reason: null,
    before: {},
    after: {},
    target: null,
    undoneBy: null,
  };
}

interface LineOptions {
  readonly at: number;
  readonly revision: number;
  readonly by: ErasedBy;
}

/**
 * SQL condition that a line of the change log is that of an erasure: its guild's id is sealed, or the line is of an earlier
 * version. An id has at most 19 digits.
 */
export const IS_ERASURE = '(after IS NULL OR length(guild_id) > 20)';
