import { REDACTED, redactShapes } from './secret-shapes.ts';

export interface RedactorOptions {
  /** Secrets known from the start, such as those of the configuration. They are never dropped. */
  readonly secrets?: readonly string[];
  /** The most secrets that `add` keeps; the oldest is dropped first. 500 unless given. */
  readonly maxAdded?: number;
}

/** Removes secrets from text by their values and by their shapes. */
export interface Redactor {
  /** Adds a secret that became known later, such as an access token that is in use. */
  add(secret: string): void;
  /** Returns the text with `[redacted]` in place of every secret. */
  redact(text: string): string;
}

/** Shorter values would match ordinary words. */
const MIN_SECRET_LENGTH = 6;

/** Makes a redactor for one process. */
export function createRedactor({ secrets = [], maxAdded = 500 }: RedactorOptions = {}): Redactor {
  const fixed = [...new Set(secrets.flatMap(spellingsOf))];
  const added = new Map<string, readonly string[]>();
  return {
    add(secret) {
      const spellings = added.get(secret) ?? spellingsOf(secret);
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
      return redactShapes(redacted);
    },
  };
}

/** Returns the spellings of a secret in a log line: as it is, quoted in JSON, quoted in JSON within JSON, in a URL. The longest first. */
function spellingsOf(secret: string): string[] {
  if (secret.length < MIN_SECRET_LENGTH) return [];
  const quoted = (text: string) => JSON.stringify(text).slice(1, -1);
  const spellings = [secret, quoted(secret), quoted(quoted(secret)), encodeURIComponent(secret)];
  return [...new Set(spellings)].toSorted((a, b) => b.length - a.length);
}
