/** A URL other than http(s) and file: everything after its scheme may contain a password. `<` begins a placeholder. */
const SECRET_URL = /\b(?!https?:|file:)([a-z][a-z0-9+.-]*:\/\/)(?!<)[^\s'"`]+/gi;

/** Shorter secrets are not replaced by value: they would match ordinary words. */
const MIN_SECRET_LENGTH = 3;

/**
 * Removes secrets from the message of a program that fails: whole database URLs, and the values in `secrets` wherever else
 * they occur. Stricter than the redaction of log lines, because a mistyped URL does not have the shape of one.
 */
export function redact(text: string, secrets: readonly string[]): string {
  let redacted = text;
  // The longest first: replacing a part of a URL would leave the rest of it.
  for (const secret of secrets.toSorted((one, other) => other.length - one.length)) {
    if (secret.length >= MIN_SECRET_LENGTH) redacted = redacted.replaceAll(secret, '[redacted]');
  }
  return redacted.replace(SECRET_URL, '$1[redacted]');
}

/** Returns the secrets in arguments or variables that contain database URLs: each URL, and its password in every spelling. */
export function secretsIn(values: readonly (string | undefined)[]): string[] {
  return values.flatMap((value) => {
    const url = /[a-z][a-z0-9+.-]*:\/\/.*/is.exec(value ?? '')?.[0];
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
