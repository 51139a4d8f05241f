export const REDACTED = '[redacted]';

/** A shape of secrets. The first group of a pattern, if there is one, is kept. */
interface SecretShape {
  readonly pattern: RegExp;
  readonly replacement: string;
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
 * The shapes of secrets in log lines. Every repetition is bounded or starts at a word boundary, so that a line is scanned in
 * linear time. No pattern matches a backslash, so that a line of JSON stays JSON.
 */
const SHAPES: readonly SecretShape[] = [
  // Authorization headers. `Bot` is also a word, so it needs a longer value behind it.
  { pattern: /((?:Bearer|Basic) {1,3})[\w.~+/-]{8,4096}={0,3}/gi, replacement: `$1${REDACTED}` },
  { pattern: /(Bot {1,3})[\w.~+/-]{16,4096}={0,3}/g, replacement: `$1${REDACTED}` },
  // `/interactions/{id}/{token}/callback` and `/webhooks/{id}/{token}`.
  {
    pattern: /(\/(?:interactions|webhooks)\/\d{1,20}\/)[^/?#\s"'\\]{1,2048}/gi,
    replacement: `$1${REDACTED}`,
  },
  // Interaction tokens by themselves: the base64 of `interaction:`.
  { pattern: /aW50ZXJhY3Rpb246[\w+/-]{1,2048}={0,2}/g, replacement: REDACTED },
  // Bot tokens by themselves: an id in base64, a time and a signature. In JSON a line break before one is `\n`, of which
  // the `n` must not be taken for a part of it.
  { pattern: /(?:(?<=\\[nrt])|(?<![\w\\-]))[\w-]{20,32}\.[\w-]{6,8}\.[\w-]{27,80}\b/g, replacement: REDACTED },
  // Query strings and forms.
  {
    pattern:
      /([?&](?:access_token|refresh_token|client_secret|token|code|secret|password|api_key|key|sig|signature)=)[^&#\s"'\\]{1,4096}/gi,
    replacement: `$1${REDACTED}`,
  },
  // The password of a URL such as `postgres://user:password@host`. `<` begins a placeholder.
  {
    pattern: /\b([a-z][a-z\d+.-]{1,20}:\/\/(?!<)[^\s:/@"'\\]{0,256}:)[^\s@/"'\\]{1,512}@/gi,
    replacement: `$1${REDACTED}@`,
  },
  // Fields of objects, also where JSON is quoted within JSON.
  {
    pattern: new RegExp(`\\b((?:${FIELDS})\\\\{0,4}["']?:\\s{0,8}\\\\{0,4}["'])[^"'\\\\]{1,4096}`, 'gi'),
    replacement: `$1${REDACTED}`,
  },
];

export function redactShapes(text: string): string {
  let redacted = text;
  for (const { pattern, replacement } of SHAPES) redacted = redacted.replace(pattern, replacement);
  return redacted;
}
