import { REDACTED, redactShapes } from './secret-shapes.ts';
import { redactUrls } from './url-secrets.ts';

export interface RedactorOptions {
  /** Secrets known from the start, such as those of the configuration. They are never dropped. */
  readonly secrets?: readonly string[];
  /** The most secrets that `add` keeps; the oldest is dropped first. 500 unless given. */
  readonly maxAdded?: number;
  /**
   * True: the text is the message of a program that fails, and not a line of a log: whole database URLs are removed,
   * and secrets of three characters or more. False unless given.
   */
  readonly isStrict?: boolean;
}

/** Removes secrets from text by their values and by their shapes. */
export interface Redactor {
  add(secret: string): void;
  /** Returns the text with `[redacted]` in place of every secret. */
  redact(text: string): string;
}

/** Shorter values would match ordinary words. */
const MIN_SECRET_LENGTH = 6;
const MIN_STRICT_LENGTH = 3;

/** Makes a redactor for one process. */
export function createRedactor({ secrets = [], maxAdded = 500, isStrict = false }: RedactorOptions = {}): Redactor {
  const minLength = isStrict ? MIN_STRICT_LENGTH : MIN_SECRET_LENGTH;
  const fixed = longestFirst(secrets.flatMap((secret) => spellingsOf(secret, minLength)));
  const added = new Map<string, readonly string[]>();
  return {
    add(secret) {
      const spellings = added.get(secret) ?? spellingsOf(secret, minLength);
      // Deleted first, so that a secret in use again becomes the newest.
      added.delete(secret);
      added.set(secret, spellings);
      const [oldest] = added.keys();
      if (added.size > maxAdded && oldest !== undefined) added.delete(oldest);
    },
    redact(text) {
      let redacted = text;
      for (const spelling of fixed) redacted = redacted.replaceAll(spelling, REDACTED);
      for (const spellings of added.values()) {
        for (const spelling of spellings) redacted = redacted.replaceAll(spelling, REDACTED);
      }
      const shaped = redactShapes(redacted);
      return isStrict ? redactUrls(shaped) : shaped;
    },
  };
}

/** Returns the spellings of a secret: as it is, quoted in JSON, quoted in JSON within JSON, percent-encoded. */
function spellingsOf(secret: string, minLength: number): string[] {
  if (secret.length < minLength) return [];
  const quoted = (text: string) => JSON.stringify(text).slice(1, -1);
  return longestFirst([secret, quoted(secret), quoted(quoted(secret)), encodeURIComponent(secret)]);
}

/** Sorts by length: replacing a part of a secret first would leave the rest of it. */
function longestFirst(spellings: readonly string[]): string[] {
  return [...new Set(spellings)].toSorted((a, b) => b.length - a.length);
}
