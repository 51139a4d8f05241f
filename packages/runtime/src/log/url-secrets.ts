import { REDACTED } from './secret-shapes.ts';

/** A URL other than http(s) and file: everything after its scheme may contain a password. `<` begins a placeholder. */
const SECRET_URL = /\b(?!https?:|file:)([a-z][a-z0-9+.-]*:\/\/)(?!<)[^\s'"`]+/gi;

/** Removes whole database URLs. A mistyped one does not have the shape of a URL with a password. */
export function redactUrls(text: string): string {
  return text.replace(SECRET_URL, `$1${REDACTED}`);
}

/** Returns the secrets in arguments or variables that contain database URLs: each URL, and its password in every spelling. */
export function urlSecrets(values: readonly (string | undefined)[]): string[] {
  return values.flatMap((value) => {
    // A scheme alone is no secret, and is in the text that says what is expected.
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
