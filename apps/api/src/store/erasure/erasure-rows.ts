import { randomBytes } from 'node:crypto';
import type { GuildId, Snowflake } from '@guild-settings/contract';
import type { ChangeRow } from '../rows.ts';
import type { erasures } from '../sqlite/schema.ts';
import type { StoredGuild } from '../store.ts';
import type { ErasureCipher, ErasureKind } from './erasure-cipher.ts';
import type { LedgerEntry } from './ledger-lines.ts';

export type ErasureRow = typeof erasures.$inferSelect;

export interface BatchErasure {
  readonly guildId: GuildId;
  /** True: something was stored. Otherwise the row is written only if no erasure of the guild is known. */
  readonly hadState: boolean;
  readonly row: ErasureRow;
}

interface ErasureOptions {
  readonly cipher: ErasureCipher;
  readonly at: number;
  readonly revision: number;
  readonly stored?: StoredGuild | null;
}

/** Returns the row of a requested erasure. The changes of the guild, or the person's id in changes, are still to be erased. */
export function rowOfErasure(
  kind: ErasureKind,
  id: GuildId | Snowflake,
  { cipher, at, revision, stored }: ErasureOptions,
): ErasureRow {
  return {
    id: randomBytes(16).toString('base64url'),
    kind,
    hash: cipher.hash(kind, id),
    at,
    revision,
    wasPresent: stored?.presence === 'present',
    isRequested: true,
    sealed: cipher.seal(id),
  };
}

/**
 * Returns the row of an erasure of the ledger with nothing left to erase: the database has nothing of it, or the person was
 * erased from the changes up to a revision.
 */
export function rowOfAppliedErasure({ id, kind, hash, at }: LedgerEntry, revision = 0): ErasureRow {
  return { id, kind, hash, at, revision, wasPresent: false, isRequested: true, sealed: null };
}

export function rowOfRetention(id: GuildId, options: Omit<ErasureOptions, 'stored'>): ErasureRow {
  return { ...rowOfErasure('guild', id, options), isRequested: false, sealed: null };
}

/** The author of the line of an erasure: retention, or a request of the owner or the application. */
export type ErasedBy = 'retention' | 'request';

/** Returns the line of an erasure in the change log. It has no content, and the guild's id is sealed. */
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
    unset: null,
    target: null,
    undoneBy: null,
  };
}

interface LineOptions {
  readonly at: number;
  readonly revision: number;
  readonly by: ErasedBy;
}

const ID_LENGTH = 20;

/** SQL condition that a line of the change log is that of an erasure: its guild's id is sealed. */
export const IS_ERASURE = `length(guild_id) > ${ID_LENGTH}`;

/** Returns whether the id of a guild is sealed, because it was erased. */
export const isSealed = (guildId: string): boolean => guildId.length > ID_LENGTH;

/** SQL condition that a line of the change log has the id of a person. The index `changes_author` is of these lines. */
export const HAS_AUTHOR = "actor_kind = 'user' AND actor_id <> ''";
