/** The definition of one kind of problem. */
export interface ProblemKind {
  readonly code: string;
  readonly status: number;
  /** True: the same request may succeed later, unchanged. */
  readonly retryable: boolean;
  /** A short summary, which does not differ between occurrences. */
  readonly title: string;
  /** The meaning and what to do, for the caller, without a secret. */
  readonly text: string;
}

/** The problems that the service responds with, by slug, with their tRPC codes and HTTP statuses. */
export const PROBLEMS = {
  'invalid-request': {
    code: 'BAD_REQUEST',
    status: 400,
    retryable: false,
    title: 'Invalid request',
    text: 'Some of what was sent is not what is expected. `issues` lists all of it; correct it and send again.',
  },
  'invalid-body': {
    code: 'BAD_REQUEST',
    status: 400,
    retryable: false,
    title: 'Invalid body',
    text: 'The body is not a JSON object in UTF-8. Send an object with the fields to change, such as {"prefix":"?"}.',
  },
  'not-authenticated': {
    code: 'UNAUTHORIZED',
    status: 401,
    retryable: false,
    title: 'Not authenticated',
    text: 'No access token was sent. Send a Discord OAuth2 access token as "Authorization: Bearer <token>".',
  },
  'invalid-token': {
    code: 'UNAUTHORIZED',
    status: 401,
    retryable: false,
    title: 'Invalid token',
    text: "The access token is malformed, expired, revoked or issued to another application. Get a new one for this service's application.",
  },
  'insufficient-scope': {
    code: 'FORBIDDEN',
    status: 403,
    retryable: false,
    title: 'Insufficient scope',
    text: 'The access token lacks a scope. Authorise again with the scopes "identify guilds".',
  },
  'not-guild-manager': {
    code: 'FORBIDDEN',
    status: 403,
    retryable: false,
    title: 'Not a manager of this guild',
    text: "Only the guild's owner, members with Manage Guild or Administrator, and those whom its access list lets in may read its settings.",
  },
  'insufficient-access': {
    code: 'FORBIDDEN',
    status: 403,
    retryable: false,
    title: 'More access to this guild is needed',
    text: 'The access list lets viewers read, and editors change settings. All else is for managers. Ask one of them.',
  },
  'not-guild-owner': {
    code: 'FORBIDDEN',
    status: 403,
    retryable: false,
    title: 'Not the owner of this guild',
    text: "Only the guild's owner and the application may erase its settings and history. Nothing was erased.",
  },
  'application-only': {
    code: 'FORBIDDEN',
    status: 403,
    retryable: false,
    title: 'For the application only',
    text: "This call needs the application's own client-credentials token with the scope applications.commands.update.",
  },
  'person-only': {
    code: 'FORBIDDEN',
    status: 403,
    retryable: false,
    title: 'For a person only',
    text: "This call is about the caller's own id. Send a user's access token, or name the user in X-On-Behalf-Of as the application.",
  },
  'reserved-setting': {
    code: 'FORBIDDEN',
    status: 403,
    retryable: false,
    title: 'Reserved setting',
    text: 'Only the application itself may change this setting, and on behalf of nobody. `issues` names it; leave it out and send again.',
  },
  'bot-absent': {
    code: 'NOT_FOUND',
    status: 404,
    retryable: false,
    title: 'The bot is not in this guild',
    text: 'The bot is not a member of this guild. Invite it, then try again.',
  },
  'not-found': {
    code: 'NOT_FOUND',
    status: 404,
    retryable: false,
    title: 'Not found',
    text: 'There is nothing at this address. /openapi.json lists what there is.',
  },
  'method-not-allowed': {
    code: 'METHOD_NOT_SUPPORTED',
    status: 405,
    retryable: false,
    title: 'Method not allowed',
    text: 'This address does not take this method. The Allow header lists the ones it takes.',
  },
  'too-many-streams': {
    code: 'TOO_MANY_REQUESTS',
    status: 429,
    retryable: true,
    title: 'Too many streams',
    text: 'A person may have five streams of events open. Close another one first.',
  },
  'request-timeout': {
    code: 'TIMEOUT',
    status: 408,
    retryable: true,
    title: 'Request timeout',
    text: 'The request did not arrive completely in time. Send it again.',
  },
  'revision-unknown': {
    code: 'NOT_FOUND',
    status: 404,
    retryable: false,
    title: 'Unknown revision',
    text: 'The change log of this guild does not hold this revision: it was deleted after the retention time, belongs to another guild, or never existed. GET /guilds/{guild}/history lists the revisions.',
  },
  'later-change': {
    code: 'CONFLICT',
    status: 409,
    retryable: false,
    title: 'A later change is in the way',
    text: 'A later change set some of the same fields, and undoing would overwrite it. `conflicts` lists these fields. Undo the later change first, or set the fields with a PATCH.',
  },
  'not-undoable': {
    code: 'CONFLICT',
    status: 409,
    retryable: false,
    title: 'This change cannot be undone',
    text: 'The change was made by Discord: a rename, a new icon, or the bot joining or leaving. Only changes of settings can be undone.',
  },
  'feature-not-enabled': {
    code: 'NOT_FOUND',
    status: 404,
    retryable: false,
    title: 'The feature is not enabled',
    text: 'The guild does not have this feature enabled. PUT to the same address enables it.',
  },
  'too-many-features': {
    code: 'CONFLICT',
    status: 409,
    retryable: false,
    title: 'Too many features',
    text: 'The guild has 64 features enabled, which is the most it may have. Disable one of them first.',
  },
  'revision-mismatch': {
    code: 'PRECONDITION_FAILED',
    status: 412,
    retryable: false,
    title: 'The guild has changed',
    text: 'The record is not at the revision that the request is conditional on. `current` is the record now; apply the change to it and send again with its ETag.',
  },
  'body-too-large': {
    code: 'PAYLOAD_TOO_LARGE',
    status: 413,
    retryable: false,
    title: 'Body too large',
    text: 'The body is larger than this address takes: 2 MiB for an import, 16 KiB for others. Send only the fields to change, or fewer guilds at once.',
  },
  'unsupported-media-type': {
    code: 'UNSUPPORTED_MEDIA_TYPE',
    status: 415,
    retryable: false,
    title: 'Unsupported media type',
    text: 'Send the body as application/json or application/merge-patch+json, in UTF-8, without a content coding.',
  },
  'precondition-required': {
    code: 'PRECONDITION_REQUIRED',
    status: 428,
    retryable: false,
    title: 'If-Match is required',
    text: 'This request must be conditional. Read the record and send its ETag as If-Match, or send If-Match: * to proceed at any revision.',
  },
  'rate-limited': {
    code: 'TOO_MANY_REQUESTS',
    status: 429,
    retryable: true,
    title: 'Too many requests',
    text: 'Too many requests in a short time. Wait for the seconds that Retry-After says, then go on.',
  },
  'change-log-full': {
    code: 'TOO_MANY_REQUESTS',
    status: 429,
    retryable: true,
    title: 'Too many changes of this guild today',
    text: 'The changes of this guild have used up the bytes that its change log may take in one UTC day. Nothing was changed; Retry-After says the seconds until the next day. A request that changes nothing still succeeds.',
  },
  'headers-too-large': {
    code: 'BAD_REQUEST',
    status: 431,
    retryable: false,
    title: 'Headers too large',
    text: "The request's headers are larger than 16 KiB.",
  },
  internal: {
    code: 'INTERNAL_SERVER_ERROR',
    status: 500,
    retryable: false,
    title: 'Internal error',
    text: 'Something went wrong on our side. It has been logged under the X-Request-Id of this answer.',
  },
  'bot-token-missing': {
    code: 'NOT_IMPLEMENTED',
    status: 501,
    retryable: false,
    title: 'The service has no bot token',
    text: "This call sends a request to Discord with the bot's token, which this service does not have. Its operator sets DISCORD_BOT_TOKEN and restarts it. Everything else works without.",
  },
  'discord-unavailable': {
    code: 'SERVICE_UNAVAILABLE',
    status: 503,
    retryable: true,
    title: 'Discord is unavailable',
    text: 'The access token could not be checked, because Discord does not answer as it should. The token may well be good: keep it and try again.',
  },
  'store-unavailable': {
    code: 'SERVICE_UNAVAILABLE',
    status: 503,
    retryable: true,
    title: 'The store is unavailable',
    text: 'The settings could not be read or written just now. Nothing was changed; try again.',
  },
  'write-unconfirmed': {
    code: 'SERVICE_UNAVAILABLE',
    status: 503,
    retryable: false,
    title: 'The outcome of the change is unknown',
    text: 'The connection to the store was lost during the change and was not restored in time, so the change may have been made. Read the record before trying again.',
  },
} as const satisfies Record<string, ProblemKind>;

export type ProblemSlug = keyof typeof PROBLEMS;

/** Returns true for a slug of the catalogue. Own properties only, so that `constructor` is not a slug. */
export function isProblemSlug(slug: string): slug is ProblemSlug {
  return Object.hasOwn(PROBLEMS, slug);
}

export const PROBLEM_SLUGS = Object.keys(PROBLEMS) as ProblemSlug[];
