/** An address of anything but a page or a file: everything after the scheme may be, or hide, a password. `<` is a form. */
const ADDRESS = /\b(?!https?:|file:)([a-z][a-z0-9+.-]*:\/\/)(?!<)[^\s'"`]+/gi;

/** Passwords shorter than this are not looked for by their value: replacing them would garble other words. */
const MIN_SECRET_LENGTH = 3;

/**
 * Removes secrets from what a program prints before it ends: whole addresses of databases, and the values in `secrets`
 * wherever else they stand. Stricter than the redaction of log lines: an address that was mistyped has no shape to go by.
 */
export function redact(text: string, secrets: readonly string[]): string {
  let redacted = text;
  // The longest first: a part of an address would leave the rest of it.
  for (const secret of secrets.toSorted((one, other) => other.length - one.length)) {
    if (secret.length >= MIN_SECRET_LENGTH) redacted = redacted.replaceAll(secret, '[redacted]');
  }
  return redacted.replace(ADDRESS, '$1[redacted]');
}

/** The secrets in arguments or variables that hold addresses: each whole address, and its password in every spelling. */
export function secretsIn(values: readonly (string | undefined)[]): string[] {
  return values.flatMap((value) => {
    const address = /[a-z][a-z0-9+.-]*:\/\/.*/is.exec(value ?? '')?.[0];
    if (address === undefined || /^(https?|file):/i.test(address)) return [];
    const [, written = ''] = /^[^:]*:\/\/[^:@]*:(.*)@/s.exec(address) ?? [];
    const parameters = [...address.matchAll(/[?&]\w*password=([^&#]*)/gi)].map(([, password = '']) => password);
    return [address, ...[written, ...parameters].flatMap((password) => [password, decoded(password)])];
  });
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
