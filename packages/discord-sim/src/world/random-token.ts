import { randomInt } from 'node:crypto';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** 30 random letters and digits, which is what Discord's OAuth2 tokens look like. */
export function randomToken(): string {
  return Array.from({ length: 30 }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('');
}
