import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

interface Key {
  /** Names the key in what it has encrypted. */
  readonly id: string;
  readonly secret: Buffer;
}

/**
 * Encrypts texts by the first key, and decrypts what any of the keys has encrypted: a new key is put before the old one, which
 * is removed when nothing that it encrypted is left.
 * @see https://csrc.nist.gov/pubs/sp/800/38/d/final
 */
export class KeyRing {
  readonly #keys: readonly [Key, ...Key[]];

  /**
   * @param secrets keys of 32 bytes, the newest first
   * @param purpose separates what is encrypted for one purpose from what is for another
   */
  constructor(secrets: readonly Buffer[], purpose: string) {
    const [first, ...others] = secrets.map((secret) => keyOf(secret, purpose));
    if (first === undefined) throw new TypeError('Expected a key, received none');
    this.#keys = [first, ...others];
  }

  /**
   * Encrypts a text.
   * @param context what the text belongs to: it is decrypted with the same one only
   */
  seal(text: string, context: string): string {
    const [key] = this.#keys;
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, key.secret, nonce).setAAD(Buffer.from(`${key.id} ${context}`));
    const bytes = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return `${key.id}.${bytes.toString('base64url')}`;
  }

  /** Decrypts a text; null: by none of the keys, for another context, or changed. */
  open(sealed: string, context: string): string | null {
    const [id, encoded = ''] = sealed.split('.', 2);
    const key = this.#keys.find((one) => one.id === id);
    const bytes = Buffer.from(encoded, 'base64url');
    if (key === undefined || bytes.length < NONCE_BYTES + TAG_BYTES) return null;
    const decipher = createDecipheriv(ALGORITHM, key.secret, bytes.subarray(0, NONCE_BYTES))
      .setAAD(Buffer.from(`${key.id} ${context}`))
      .setAuthTag(bytes.subarray(-TAG_BYTES));
    try {
      const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
      return Buffer.concat([text, decipher.final()]).toString('utf8');
    } catch {
      return null;
    }
  }

  isCurrent(sealed: string): boolean {
    return sealed.startsWith(`${this.#keys[0].id}.`);
  }
}

function keyOf(secret: Buffer, purpose: string): Key {
  const derive = (info: string, bytes: number) =>
    Buffer.from(hkdfSync('sha256', secret, '', `guild-settings page ${info}`, bytes));
  return { id: derive('key id', 4).toString('hex'), secret: derive(purpose, KEY_BYTES) };
}
