import type { ProblemError } from '@guild-settings/contract';
import type { AuthenticatedToken, Authenticator } from './auth/authenticator.ts';
import type { PrincipalLimit, RateLimitState } from './auth/principal-limit.ts';
import type { GuildService } from './domain/guild-service.ts';
import type { PresenceService } from './domain/presence-service.ts';
import type { Feed } from './feed/feed.ts';

/** What procedures work with; made once an application. */
export interface Services {
  readonly authenticator: Authenticator;
  readonly principalLimit: PrincipalLimit;
  readonly guilds: GuildService;
  readonly presence: PresenceService;
  readonly feed: Feed;
  /** Monotonic time in milliseconds. */
  readonly monotonicMs: () => number;
}

/** What procedures may know of the HTTP request, whichever door it came through. */
export interface RequestFacts {
  readonly door: 'rest' | 'trpc';
  /** The address that was asked, as it came. */
  readonly url: string;
  /** The client's address, worked out for those alone whose token is not known. */
  readonly address: () => string;
  /** How many calls share this request: with more than one, its conditional headers cannot be for one of them. */
  readonly calls: number;
  readonly authorization: string | undefined;
  readonly onBehalfOf: string | undefined;
  readonly ifMatch: string | undefined;
  readonly ifNoneMatch: string | undefined;
  readonly auditReason: string | undefined;
}

/** What a procedure tells beside its result; both doors turn it into headers. */
export interface ReplyFacts {
  /** The revision of the record in the result. */
  revision?: number;
  /** The caller has this record already. */
  notModified?: boolean;
  rateLimit?: RateLimitState;
}

/** A body that is read when somebody asks for it, after credentials, path and permission. */
export interface Body {
  /**
   * The fields of a REST body; null where the body is part of the input, as over tRPC.
   * @throws ProblemError invalid-body, body-too-large, unsupported-media-type
   */
  readonly fields: (() => Promise<object>) | null;
}

/** The context of one request. */
export interface Context {
  readonly services: Services;
  readonly request: RequestFacts;
  readonly reply: ReplyFacts;
  /** The request's token, checked: once for all the calls of a batch. */
  readonly caller: { checked?: Promise<AuthenticatedToken> };
  /** What makes the input unreadable altogether; said as soon as the caller is known. */
  readonly inputProblem?: ProblemError | undefined;
  /** How the body comes in, when it is the body's turn. */
  readonly body: Body;
}
