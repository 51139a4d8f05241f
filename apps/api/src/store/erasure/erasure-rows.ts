import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import type { GuildId, Snowflake } from '@guild-settings/contract';
import type { StoredGuild } from '../guild-store.ts';
import type { changes, erasures } from '../sqlite/schema.ts';
import type { ErasureKind } from '../store.ts';

export type ErasureRow = typeof erasures.$inferSelect;

type ChangeRow = typeof changes.$inferSelect;

export interface BatchErasure {
  readonly guildId: GuildId;
  /** True: the guild had a state. Otherwise the row is written only if no erasure of the guild is known. */
  readonly hadState: boolean;
  readonly row: ErasureRow;
}

interface ErasureOptions {
  readonly cipher: ErasureCipher;
  readonly at: number;
  readonly revision: number;
  readonly stored?: StoredGuild | null;
}

/**
 * Returns the row of a requested erasure. The changes of the guild, or the person's id in changes, remain to be erased.
 */
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
 * Returns the row of an erasure of the ledger with nothing left to erase: the database has no such data, or the person
 * was erased from the changes up to a revision.
 */
export function rowOfAppliedErasure({ id, kind, hash, at }: LedgerEntry, revision = 0): ErasureRow {
  return { id, kind, hash, at, revision, wasPresent: false, isRequested: true, sealed: null };
}

export function rowOfRetention(id: GuildId, options: Omit<ErasureOptions, 'stored'>): ErasureRow {
  return { ...rowOfErasure('guild', id, options), isRequested: false, sealed: null };
}

/**
 * The author in the log line of an erasure, which identifies such lines: retention, or a request of the owner or the
 * application.
 */
type ErasedBy = 'retention' | 'request';

/** Returns the line of an erasure in the change log. It has no content, and the guild's id is encrypted. */
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

/** SQL condition for log lines of erasures, identified by their author: the id of the guild is encrypted. */
export const IS_ERASURE = "actor_kind = 'platform' AND actor_id IN ('retention', 'request')";

/** SQL condition for log lines with the id of a person, for which there is the index `changes_author`. */
export const HAS_AUTHOR = "actor_kind = 'user' AND actor_id <> ''";

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export function newErasureKey(): string {
  return randomBytes(KEY_BYTES).toString('base64url');
}

/**
 * Hashes and encrypts the ids of erased guilds and people. A hash finds a known id and reveals nothing else. Ids are
 * encrypted with AES-256-GCM and a random nonce, so that two ciphertexts of one id differ.
 */
export class ErasureCipher {
  readonly #hashKey: Buffer;
  readonly #sealKey: Buffer;
  readonly #chainKey: Buffer;

  constructor(key: string) {
    const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', Buffer.from(key, 'base64url'), '', purpose, 32));
    this.#hashKey = derive('guild-settings erasure hash');
    this.#sealKey = derive('guild-settings erasure seal');
    this.#chainKey = derive('guild-settings erasure chain');
  }

  /** Returns the keyed hash of an id (HMAC-SHA-256). */
  hash(kind: ErasureKind, id: string): string {
    return createHmac('sha256', this.#hashKey).update(`${kind}:${id}`).digest('base64url');
  }

  /**
   * Returns the keyed hash of a line of the ledger that follows another one. @param before the hash of the line before
   */
  chain(before: string, line: string): string {
    return createHmac('sha256', this.#chainKey).update(`${before}\n${line}`).digest('base64url');
  }

  seal(id: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#sealKey, nonce);
    const parts = [nonce, cipher.update(id, 'utf8'), cipher.final(), cipher.getAuthTag()];
    return Buffer.concat(parts).toString('base64url');
  }

  open(sealed: string): string {
    const bytes = Buffer.from(sealed, 'base64url');
    const decipher = createDecipheriv('aes-256-gcm', this.#sealKey, bytes.subarray(0, NONCE_BYTES));
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    return decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
  }
}

export interface LedgerEntry {
  readonly id: string;
  readonly kind: ErasureKind;
  /** Keyed hash of the id of the erased guild or person. */
  readonly hash: string;
  readonly at: number;
}

export interface SeenLedger {
  readonly id: string;
  readonly lines: number;
  readonly chain: string;
}
