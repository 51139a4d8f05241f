interface RedactorOptions {
  /** Secrets known from the start, such as those of the configuration. They are never dropped. */
  readonly secrets?: readonly string[];
  /** Maximum secrets kept by `add`; the oldest is dropped first. 500 unless given. */
  readonly maxAdded?: number;
  /**
   * True: for the message of a failing program instead of a log line: entire database URLs are removed, and secrets of
   * three characters or more. False unless given.
   */
  readonly isStrict?: boolean;
}

/** Removes secrets from text by their values and by their shapes. */
export interface Redactor {
  add(secret: string): void;
  /** Returns the text with `[redacted]` in place of every secret. */
  redact(text: string): string;
}

const REDACTED = '[redacted]';

/** Shorter values would match ordinary words. */
const MIN_SECRET_LENGTH = 6;
const MIN_STRICT_LENGTH = 3;

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
      for (const spelling of [...fixed, ...[...added.values()].flat()]) {
        redacted = redacted.replaceAll(spelling, REDACTED);
      }
      // A mistyped database URL does not match the shape of a URL with a password.
      for (const shape of isStrict ? [...SHAPES, SECRET_URL] : SHAPES) {
        redacted = redacted.replace(shape, `$1${REDACTED}`);
      }
      return redacted;
    },
  };
}

/** Returns the forms of a secret: plain, quoted in JSON, quoted in JSON within JSON, percent-encoded. */
function spellingsOf(secret: string, minLength: number): string[] {
  if (secret.length < minLength) return [];
  const quoted = (text: string) => JSON.stringify(text).slice(1, -1);
  return longestFirst([secret, quoted(secret), quoted(quoted(secret)), encodeURIComponent(secret)]);
}

/** Sorts by length: replacing a part of a secret first would leave the rest of it. */
function longestFirst(spellings: readonly string[]): string[] {
  return [...new Set(spellings)].toSorted((a, b) => b.length - a.length);
}

/** Names of fields whose quoted text values are secrets, in JSON and in Node's output of objects. */
const FIELDS = [
  'access_?token',
  'refresh_?token',
  'client_?secret',
  'bot_?token',
  'token',
  'password',
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
].join('|');

/**
 * The shapes of secrets in log lines. The first group is kept. Every repetition is bounded or starts at a word
 * boundary, so that a line is scanned in linear time. Patterns do not match backslashes, so that a line of JSON stays
 * JSON.
 */
const SHAPES: readonly RegExp[] = [
  // Authorization headers. `Bot` is also a word, so it requires a longer value after it.
  /((?:Bearer|Basic) {1,3})[\w.~+/-]{8,4096}={0,3}/gi,
  /(Bot {1,3})[\w.~+/-]{16,4096}={0,3}/g,
  // `/interactions/{id}/{token}/callback` and `/webhooks/{id}/{token}`.
  /(\/(?:interactions|webhooks)\/\d{1,20}\/)[^/?#\s"'\\]{1,2048}/gi,
  // Interaction tokens without context: the base64 of `interaction:`.
  /()aW50ZXJhY3Rpb246[\w+/-]{1,2048}={0,2}/g,
  // Bot tokens without context: an id in base64, a time and a signature. In JSON a preceding line break is `\n`, whose
  // `n` must not count as a part of the token.
  /((?<=\\[nrt])|(?<![\w\\-]))[\w-]{20,32}\.[\w-]{6,8}\.[\w-]{27,80}\b/g,
  // Query strings and forms.
  /([?&](?:access_token|refresh_token|client_secret|token|code|secret|password|api_key|key|sig|signature)=)[^&#\s"'\\]{1,4096}/gi,
  // The password of a URL such as `postgres://user:password@host`. `<` begins a placeholder.
  /\b([a-z][a-z\d+.-]{1,20}:\/\/(?!<)[^\s:/@"'\\]{0,256}:)[^\s@/"'\\]{1,512}(?=@)/gi,
  // Fields of objects, also in JSON that is quoted within JSON.
  new RegExp(`\\b((?:${FIELDS})\\\\{0,4}["']?:\\s{0,8}\\\\{0,4}["'])[^"'\\\\]{1,4096}`, 'gi'),
];

/** A URL other than http(s) and file: everything after its scheme may contain a password. `<` begins a placeholder. */
const SECRET_URL = /\b(?!https?:|file:)([a-z][a-z0-9+.-]*:\/\/)(?!<)[^\s'"`]+/gi;

/** Returns the secrets in arguments or variables that contain database URLs: each URL, and its password in every spelling. */
export function urlSecrets(values: readonly (string | undefined)[]): string[] {
  return values.flatMap((value) => {
    // A scheme alone is not a secret, and occurs in messages about the expected value.
    const url = /[a-z][a-z0-9+.-]*:\/\/.+/is.exec(value ?? '')?.[0];
    if (url === undefined || /^(https?|file):/i.test(url)) return [];
    const [, written = ''] = /^[^:]*:\/\/[^:@]*:(.*)@/s.exec(url) ?? [];
    const parameters = [...url.matchAll(/[?&]\w*password=([^&#]*)/gi)].map(([, password = '']) => password);
    return [url, ...[written, ...parameters].flatMap((password) => [password, decoded(password)])];
  });
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
