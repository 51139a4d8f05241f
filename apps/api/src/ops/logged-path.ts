const MAX_SEGMENTS = 8;

/** An id, or a short word as the paths of this service contain: too short for a token. */
const PLAIN_SEGMENT = /^(?:\d{0,20}|[A-Za-z][\w.-]{0,19})$/;

const PLAIN_PATH = /^(?:\/(?:\d{0,20}|[A-Za-z][\w.-]{0,19})){1,7}$/;

/** Maximum number of operation names in a segment, separated by commas. */
const MAX_NAMES = 10;

/**
 * Returns the path of a URL for the log: of bounded length, without the query, and without segments that could be a token
 * which a client put into the wrong place.
 */
export function loggedPath(url: string): string {
  if (PLAIN_PATH.test(url)) return url;
  const path = url.slice(0, 2_048).split(/[?#]/, 1)[0] ?? '';
  const segments = path.split('/');
  const logged = segments.slice(0, MAX_SEGMENTS).map((segment) => {
    const names = segment.split(',');
    return names.length <= MAX_NAMES && names.every((name) => PLAIN_SEGMENT.test(name)) ? segment : '[redacted]';
  });
  return [...logged, ...(segments.length > MAX_SEGMENTS ? ['...'] : [])].join('/');
}
