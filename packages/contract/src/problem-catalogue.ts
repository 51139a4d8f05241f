export interface ProblemKind {
  readonly code: string;
  readonly status: number;
  /** True: the same request may succeed later. */
  readonly retryable: boolean;
  /** A short summary, constant for all occurrences. */
  readonly title: string;
  /** The meaning and the remedy for the caller, without secrets. */
  readonly text: string;
}

/** The problems that the service responds with, by slug, with their tRPC codes and HTTP statuses. */
export const PROBLEMS = {
  'invalid-request': {
    code: 'BAD_REQUEST',
    status: 400,
    retryable: false,
    title: 'Invalid request',
    text: 'Some values in the request are not valid. `issues` lists all of them: correct them and send the request again.',
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
    text: 'The request has no access token. Send a Discord OAuth2 access token as "Authorization: Bearer <token>".',
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
    text: 'The access token lacks a scope. Authorize again with the scopes "identify guilds".',
  },
  'not-guild-manager': {
    code: 'FORBIDDEN',
    status: 403,
    retryable: false,
    title: 'Not a manager of this guild',
    text: "Only the guild's owner, members with Manage Guild or Administrator, and people on its access list can read its settings.",
  },
  'insufficient-access': {
    code: 'FORBIDDEN',
    status: 403,
    retryable: false,
    title: 'Insufficient access to this guild',
    text: 'On the access list, viewers can read and editors can change settings. Only managers can do everything else. Ask one of them.',
  },
  'not-guild-owner': {
    code: 'FORBIDDEN',
    status: 403,
    retryable: false,
    title: 'Not the owner of this guild',
    text: "Only the guild's owner and the application can erase its settings and history. Nothing was erased.",
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
    text: "This call is about the caller's own id. Send a user's access token or, as the application, name the user in X-On-Behalf-Of.",
  },
  'reserved-setting': {
    code: 'FORBIDDEN',
    status: 403,
    retryable: false,
    title: 'Reserved setting',
    text: 'Only the application itself can change this setting, without X-On-Behalf-Of. `issues` names it: leave it out and send the request again.',
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
    text: 'This address does not exist. /openapi.json lists those that do.',
  },
  'method-not-allowed': {
    code: 'METHOD_NOT_SUPPORTED',
    status: 405,
    retryable: false,
    title: 'Method not allowed',
    text: 'This address does not support this method. The Allow header lists those that it supports.',
  },
  'too-many-streams': {
    code: 'TOO_MANY_REQUESTS',
    status: 429,
    retryable: true,
    title: 'Too many streams',
    text: 'A person can have five event streams open. Close one of them first.',
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
    text: 'The change log of this guild does not have this revision: it is older than the retention time, belongs to another guild, or never existed. GET /guilds/{guild}/history lists the revisions.',
  },
  'later-change': {
    code: 'CONFLICT',
    status: 409,
    retryable: false,
    title: 'A later change is in the way',
    text: 'A later change set some of the same fields, and undoing this one would overwrite it. `conflicts` lists these fields. Undo the later change first, or set the fields with a PATCH.',
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
    text: 'The guild has 64 features enabled, which is the maximum. Disable one of them first.',
  },
  'revision-mismatch': {
    code: 'PRECONDITION_FAILED',
    status: 412,
    retryable: false,
    title: 'The guild has changed',
    text: 'The record has changed since the revision in If-Match. `current` is the record now: apply your change to it and send it again with its ETag.',
  },
  'body-too-large': {
    code: 'PAYLOAD_TOO_LARGE',
    status: 413,
    retryable: false,
    title: 'Body too large',
    text: 'The body is too large. The limit is 2 MiB for an import and 16 KiB for everything else. Send only the fields to change, or fewer guilds at once.',
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
    text: 'Too many requests in a short time. Wait for the seconds in Retry-After, then continue.',
  },
  'change-log-full': {
    code: 'TOO_MANY_REQUESTS',
    status: 429,
    retryable: true,
    title: 'Too many changes to this guild today',
    text: 'The changes to this guild have used up the bytes that its change log can grow by in one UTC day. Nothing was changed. Retry-After has the seconds until the next day. A request that changes nothing still succeeds, and managers can still change the access list, undo, restore and erase.',
  },
  'headers-too-large': {
    code: 'BAD_REQUEST',
    status: 431,
    retryable: false,
    title: 'Headers too large',
    text: 'The request headers are larger than 16 KiB. Send fewer or shorter headers.',
  },
  internal: {
    code: 'INTERNAL_SERVER_ERROR',
    status: 500,
    retryable: false,
    title: 'Internal error',
    text: 'Something went wrong on our side. It was logged under the X-Request-Id of this response.',
  },
  'bot-token-missing': {
    code: 'NOT_IMPLEMENTED',
    status: 501,
    retryable: false,
    title: 'The service has no bot token',
    text: "This call needs the bot's token, which this service does not have. Its operator can set DISCORD_BOT_TOKEN and restart it. Everything else works without it.",
  },
  'discord-unavailable': {
    code: 'SERVICE_UNAVAILABLE',
    status: 503,
    retryable: true,
    title: 'Discord is unavailable',
    text: 'The access token could not be checked, because Discord does not respond as expected. The token may be valid: keep it and try again.',
  },
  'store-unavailable': {
    code: 'SERVICE_UNAVAILABLE',
    status: 503,
    retryable: true,
    title: 'The store is unavailable',
    text: 'The settings could not be read or written just now. Nothing was changed. Try again.',
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
