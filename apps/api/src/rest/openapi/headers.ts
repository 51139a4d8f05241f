import { LIMITS } from '@guild-settings/contract';

const text = { type: 'string' } as const;
const TAG = '"42"';

/** Every header that an answer can carry, by the name under which the document refers to it. */
export const HEADERS = {
  'X-Request-Id': { description: "Identifies the request in our logs: the caller's own, or a new one.", schema: text },
  'Cache-Control': { description: 'Answers are for one caller, and are to be revalidated.', schema: text },
  Vary: { description: 'Answers depend on the credentials.', schema: text },
  ETag: {
    description: "The record's revision, as a strong entity tag.",
    schema: { type: 'string', pattern: '^"\\d+"$' },
    example: TAG,
  },
  RateLimit: {
    description: 'What is left (r) for how many seconds (t).',
    schema: text,
    example: '"principal";r=299;t=60',
  },
  'RateLimit-Policy': {
    description: 'How many calls (q) in how many seconds (w).',
    schema: text,
    example: '"principal";q=300;w=60',
  },
  'Retry-After': { description: 'Seconds to wait.', schema: { type: 'string', pattern: '^\\d+$' }, example: '5' },
  'WWW-Authenticate': { description: 'What is wrong with the credentials (RFC 6750).', schema: text },
  Allow: { description: 'The methods that this address takes.', schema: text },
  'Accept-Patch': { description: 'The media types that PATCH takes.', schema: text },
  Location: { description: 'Where it is.', schema: text },
} as const;

export type HeaderName = keyof typeof HEADERS;

/** The headers of every answer. */
const COMMON: readonly HeaderName[] = ['X-Request-Id', 'Cache-Control', 'Vary'];

/** The headers of one response: those of every answer, and these. */
export function headers({
  always = [],
  maybe = [],
}: {
  always?: readonly HeaderName[];
  maybe?: readonly HeaderName[];
} = {}) {
  const reference = (name: HeaderName) => ({ $ref: `#/components/headers/${name}` });
  // `required` cannot stand beside a reference, so the headers that are always there are written out.
  const required = [...COMMON, ...always].map((name) => [name, { ...HEADERS[name], required: true }]);
  return Object.fromEntries([...required, ...maybe.map((name) => [name, reference(name)])]);
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

export const CHANGE_PARAMETERS = [
  {
    in: 'header',
    name: 'X-Audit-Log-Reason',
    description: `Why: URL-encoded UTF-8, 1 to ${LIMITS.reason} characters. Kept with the change.`,
    schema: text,
    examples: { reason: { value: 'asked%20for%20by%20the%20team' } },
  },
  {
    in: 'header',
    name: 'X-On-Behalf-Of',
    description: "The user that the application acts for. Ignored from users' tokens.",
    schema: { type: 'string', pattern: '^\\d{17,20}$' },
    examples: { user: { value: '80351110224678912' } },
  },
] as const;
