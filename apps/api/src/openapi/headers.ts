import { LIMITS } from '@guild-settings/contract';
import { CACHING } from '../transport/docs/static-content.ts';
import { ACCEPT_PATCH } from '../transport/problems/send-problem.ts';

const text = { type: 'string' } as const;
const TAG = '"42"';

/** Every header that an answer can carry, by the name under which the document refers to it. */
export const HEADERS = {
  'X-Request-Id': always("Identifies the request in our logs: the caller's own, or a new one."),
  'Cache-Control': always('Answers are for one caller, and are to be revalidated.', 'private, no-cache'),
  Vary: always('Answers depend on the credentials.', 'Authorization'),
  ETag: always("The record's revision, as a strong entity tag.", TAG, '^"\\d+"$'),
  /** Of static content. */
  ContentTag: always('The hash of the content, as a strong entity tag.', '"2jmj7l5rSw0yVb_v"'),
  ImmutableCacheControl: always(
    'The page names the hash of the script, so the script never changes.',
    CACHING.immutable,
  ),
  'Retry-After': always('Seconds to wait.', '5', '^\\d+$'),
  'WWW-Authenticate': always('What is wrong with the credentials (RFC 6750).', 'Bearer realm="guild-settings"'),
  Allow: always('The methods that this address takes.', 'GET, HEAD, OPTIONS'),
  'Accept-Patch': always('The media types that PATCH takes.', ACCEPT_PATCH),
  Location: always('Where it is.', '/docs/'),
  RateLimit: sometimes(
    'What is left (r) for how many seconds (t); absent where there is no limit.',
    '"principal";r=299;t=60',
  ),
  'RateLimit-Policy': sometimes('How many calls (q) in how many seconds (w).', '"principal";q=300;w=60'),
  Challenge: sometimes('The scopes that are missing, where scopes are (RFC 6750).'),
} as const;

export type HeaderName = keyof typeof HEADERS;

/** The names on the wire of headers that the document knows in more than one form. */
const WIRE_NAMES: Partial<Record<HeaderName, string>> = {
  Challenge: 'WWW-Authenticate',
  ContentTag: 'ETag',
  ImmutableCacheControl: 'Cache-Control',
};

/** The headers of one response: those of every answer, and these. */
export function headers(...names: readonly HeaderName[]) {
  return Object.fromEntries(
    (['X-Request-Id', 'Cache-Control', 'Vary', ...names] as const).map((name) => [
      WIRE_NAMES[name] ?? name,
      { $ref: `#/components/headers/${name}` },
    ]),
  );
}

function always(description: string, example?: string, pattern?: string) {
  return { ...sometimes(description, example, pattern), required: true };
}

function sometimes(description: string, example?: string, pattern?: string) {
  return { description, schema: { ...text, ...(pattern && { pattern }) }, ...(example && { example }) };
}

/** The request headers of a guild operation. */
export const CONDITIONAL_PARAMETERS = [
  {
    in: 'header',
    name: 'If-Match',
    description: 'Go ahead only at this revision (an ETag, or *); 412 otherwise.',
    schema: text,
    examples: { revision: { value: TAG } },
  },
  {
    in: 'header',
    name: 'If-None-Match',
    description: 'Do not go ahead at this revision: GET answers 304 without a body, PATCH 412.',
    schema: text,
    examples: { revision: { value: TAG } },
  },
] as const;

export const AUDIT_LOG_REASON = {
  in: 'header',
  name: 'X-Audit-Log-Reason',
  description: `Why: URL-encoded UTF-8, 1 to ${LIMITS.reason} characters. Kept with the change.`,
  schema: text,
  examples: { reason: { value: 'asked%20for%20by%20the%20team' } },
} as const;

export const ON_BEHALF_OF = {
  in: 'header',
  name: 'X-On-Behalf-Of',
  description: "The user that the application acts for. Ignored from users' tokens.",
  schema: { type: 'string', pattern: '^\\d{17,20}$' },
  examples: { user: { value: '80351110224678912' } },
} as const;
