import { randomInt } from 'node:crypto';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Returns 30 random letters and digits, like Discord's OAuth2 tokens. */
export function randomToken(): string {
  return Array.from({ length: 30 }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('');
}
