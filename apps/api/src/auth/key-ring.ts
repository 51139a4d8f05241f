import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts texts by the first key, and decrypts what any of the keys has encrypted: a new key is put before the old one, which
 * is removed when nothing that it encrypted is left.
 * @see https://csrc.nist.gov/pubs/sp/800/38/d/final
 */
export class KeyRing {
  /** By the ids that what they have encrypted begins with. */
  readonly #keys: ReadonlyMap<string, Buffer>;
  readonly #newest: string;

  /**
   * @param secrets keys of 32 bytes, the newest first
   * @param purpose separates what is encrypted for one purpose from what is for another
   */
  constructor(secrets: readonly Buffer[], purpose: string) {
    const derive = (secret: Buffer, info: string, bytes: number) =>
      Buffer.from(hkdfSync('sha256', secret, '', `guild-settings page ${info}`, bytes));
    const idOf = (secret: Buffer) => derive(secret, 'key id', 4).toString('hex');
    this.#keys = new Map(secrets.map((secret) => [idOf(secret), derive(secret, purpose, KEY_BYTES)]));
    [this.#newest = ''] = this.#keys.keys();
  }

  /** Encrypts a text. @param context what the text belongs to: it is decrypted with the same one only */
  seal(text: string, context: string): string {
    const id = this.#newest;
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.#keys.get(id) ?? '', nonce).setAAD(Buffer.from(`${id} ${context}`));
    const bytes = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return `${id}.${bytes.toString('base64url')}`;
  }

  /** Decrypts a text; null: by none of the keys, for another context, or changed. */
  open(sealed: string, context: string): string | null {
    const [id = '', encoded = ''] = sealed.split('.', 2);
    const key = this.#keys.get(id);
    const bytes = Buffer.from(encoded, 'base64url');
    if (key === undefined || bytes.length < NONCE_BYTES + TAG_BYTES) return null;
    const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES))
      .setAAD(Buffer.from(`${id} ${context}`))
      .setAuthTag(bytes.subarray(-TAG_BYTES));
    try {
      const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
      return Buffer.concat([text, decipher.final()]).toString('utf8');
    } catch {
      return null;
    }
  }

  isCurrent(sealed: string): boolean {
    return sealed.startsWith(`${this.#newest}.`);
  }
}
