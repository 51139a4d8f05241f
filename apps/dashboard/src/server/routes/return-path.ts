const MAX_LENGTH = 1_000;

/** A path of this origin: `//host` and `/\host` would be other hosts to a browser, which also drops tabs and line breaks. */
const PATH = /^\/(?![/\\])[\x21-\x7e]*$/;

/** Returns the path to which a login returns, where `to` is one of this origin; `/` for anything else. */
export function returnPath(to: unknown): string {
  return typeof to === 'string' && to.length <= MAX_LENGTH && PATH.test(to) && !to.includes('\\') ? to : '/';
}
