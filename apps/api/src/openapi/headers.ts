import { LIMITS } from '@guild-settings/contract';
import { BODY_MEDIA_TYPES, type RequestHeaderName } from '@guild-settings/contract/operations';
import { VERSION } from '../own-package.ts';

const TAG = '"42-0k3x9w2a5q"';

/** Maximum length of header values that the service writes, unless a pattern is more specific. */
const SHORT = 128;

/** All response headers, by the name with which the document refers to them. */
export const HEADERS = {
  'X-Request-Id': always("Identifies the request in the service's logs: the client's own id, or a new one.", {
    example: '0b5c1f0a-6c1e-4a1f-9d0f-3f1f6f0f9c11',
    pattern: '^[0-9A-Za-z_.:-]+$',
  }),
  'Cache-Control': always('Responses are for one client, and must be revalidated, unless they never change.', {
    example: 'private, no-cache',
  }),
  Vary: always('Responses depend on the credentials.', { example: 'Authorization' }),
  'Guild-Settings-Version': always('The version of the service: that of this document.', {
    example: VERSION,
    pattern: '^[0-9A-Za-z.+-]+$',
  }),
  Deprecation: always('Since when the operation is deprecated (RFC 9745).', {
    example: '@1795305600',
    pattern: '^@[0-9]+$',
  }),
  Sunset: sometimes('When the operation ends (RFC 8594); absent while this is not decided.', {
    example: 'Mon, 22 Nov 2027 00:00:00 GMT',
  }),
  ETag: always('The revision of the record, and the epoch in which it was made, as a strong entity tag.', {
    example: TAG,
    pattern: '^"[0-9]+(-[0-9a-z]{10})?"$',
  }),
  PublicCacheControl: always('Any cache may keep the response, unless a part of it is not known yet.', {
    example: 'public, max-age=300',
  }),
  Age: always('Seconds since Discord was requested (RFC 9111).', { example: '12', pattern: '^[0-9]+$' }),
  ContentTag: always('The hash of the content, as a strong entity tag.', { example: '"2jmj7l5rSw0yVb_v"' }),
  ImmutableCacheControl: always('The page names the hash of the script, so the script never changes.', {
    example: 'public, max-age=31536000, immutable',
  }),
  'Retry-After': always('Seconds to wait.', { example: '5', pattern: '^[0-9]+$' }),
  'WWW-Authenticate': always('The error of the credentials (RFC 6750).', { example: 'Bearer realm="guild-settings"' }),
  'Accept-Patch': always('The media types that PATCH accepts.', { example: BODY_MEDIA_TYPES.join(', ') }),
  Link: sometimes('The next part of a list (RFC 8288); absent with the last one.', {
    example: '</guilds/1067890123456789012/history?before=42>; rel="next"',
    maxLength: 1_024,
  }),
  Arrival: sometimes(
    'Whether the change is in use, with the milliseconds that it took, and the numbers of processes if some are gone; absent ' +
      'without `Prefer: wait`.',
    {
      example: 'live; latency=38',
      pattern: '^(live|pending|rejected|away)(; latency=[0-9]+)?(; processes=[0-9]+; away=[0-9]+)?$',
    },
  ),
  'Preference-Applied': sometimes('The applied wait (RFC 7240).', {
    example: 'wait=2',
    pattern: '^wait=[0-9]+$',
  }),
  Location: always('The URL of the page.', { example: '/docs' }),
  'X-Accel-Buffering': always('Makes nginx pass each event on at once.', { example: 'no', pattern: '^no$' }),
  RateLimit: sometimes('Remaining calls (r) until the window ends in t seconds; absent without a limit.', {
    example: '"principal";r=299;t=60',
  }),
  'RateLimit-Policy': sometimes('Calls (q) in each window of w seconds.', { example: '"principal";q=300;w=60' }),
  Challenge: sometimes('The missing scopes, for `insufficient-scope` (RFC 6750).', {
    example: 'Bearer realm="guild-settings", error="insufficient_scope", scope="identify guilds"',
  }),
} as const;

export type HeaderName = keyof typeof HEADERS;

const HTTP_NAMES: Partial<Record<HeaderName, string>> = {
  Challenge: 'WWW-Authenticate',
  ContentTag: 'ETag',
  ImmutableCacheControl: 'Cache-Control',
  PublicCacheControl: 'Cache-Control',
};

export function headers(...names: readonly HeaderName[]) {
  return Object.fromEntries(
    (['X-Request-Id', 'Cache-Control', 'Vary', 'Guild-Settings-Version', ...names] as const).map((name) => [
      HTTP_NAMES[name] ?? name,
      { $ref: `#/components/headers/${name}` },
    ]),
  );
}

interface Value {
  readonly example: string;
  readonly pattern?: string;
  readonly maxLength?: number;
}

function always(description: string, value: Value) {
  return { ...sometimes(description, value), required: true };
}

function sometimes(description: string, { example, pattern, maxLength = SHORT }: Value) {
  return { description, schema: { type: 'string', maxLength, ...(pattern && { pattern }) }, example } as const;
}

export function requestHeaders(...names: readonly RequestHeaderName[]) {
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
}

export const REQUEST_HEADERS = {
  'Cache-Control': {
    in: 'header',
    name: 'Cache-Control',
    description: 'With `no-cache` or `max-age=0`, the response is not the stored one, if that is possible (RFC 9111).',
    schema: { type: 'string', maxLength: 128 },
    examples: { new: { value: 'no-cache' } },
  },
  'If-Match': {
    in: 'header',
    name: 'If-Match',
    description: 'Proceed only at this revision (an ETag, or *); 412 otherwise.',
    schema: { type: 'string', maxLength: LIMITS.conditionHeader },
    examples: { revision: { value: TAG } },
  },
  'If-None-Match': {
    in: 'header',
    name: 'If-None-Match',
    description: 'Do not proceed at this revision: GET responds 304 without a body, other methods 412.',
    schema: { type: 'string', maxLength: LIMITS.conditionHeader },
    examples: { revision: { value: TAG } },
  },
  'X-Audit-Log-Reason': {
    in: 'header',
    name: 'X-Audit-Log-Reason',
    description: `The reason for the change: URL-encoded UTF-8, 1 to ${LIMITS.reason} characters. Stored with the change.`,
    schema: { type: 'string', minLength: 1, maxLength: LIMITS.reasonHeader },
    examples: { reason: { value: 'asked%20for%20by%20the%20team' } },
  },
  Prefer: {
    in: 'header',
    name: 'Prefer',
    description: `Wait until the change is in use everywhere, for at most these seconds (RFC 7240), up to ${LIMITS.waitSeconds}.`,
    schema: { type: 'string', maxLength: 128 },
    examples: { wait: { value: 'wait=2' } },
  },
  'X-On-Behalf-Of': {
    in: 'header',
    name: 'X-On-Behalf-Of',
    description: 'The user that the application acts for. Ignored with user tokens.',
    schema: { type: 'string', minLength: 17, maxLength: 20, pattern: '^[0-9]{17,20}$' },
    examples: { user: { value: '80351110224678912' } },
  },
} as const satisfies Record<RequestHeaderName, object>;

export const SECURITY_SCHEME = 'discord';
