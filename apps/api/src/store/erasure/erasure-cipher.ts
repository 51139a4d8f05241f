import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

export type ErasureKind = 'guild' | 'person';

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export function newErasureKey(): string {
  return randomBytes(KEY_BYTES).toString('base64url');
}

/**
 * Hashes and encrypts the ids of what was erased. A hash finds an id that is known, and nothing else. A sealed id is
 * encrypted by AES-256-GCM with a random nonce, so that two sealed forms of one id differ.
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

  /** Returns the keyed hash of a line of the ledger that follows another one. @param before that of the line before */
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
