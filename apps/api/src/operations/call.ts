import type { Arrival, DeclaredSchemas, Snowflake, Version } from '@guild-settings/contract';
import type { Deprecation } from '@guild-settings/contract/operations';
import type { Arrivals } from '../arrival/arrivals.ts';
import type { Authenticator } from '../auth/authenticator.ts';
import type { GrantedAccess } from '../auth/granted-access.ts';
import type { InProgress, PrincipalLimit, RateLimitState } from '../auth/limits.ts';
import type { OwnApplication } from '../auth/own-application.ts';
import type { Principal } from '../auth/principal.ts';
import type { AuthenticatedToken } from '../auth/token-check.ts';
import type { AccessService } from '../domain/access-service.ts';
import type { GuildService } from '../domain/guild-service.ts';
import type { HistoryService } from '../domain/history-service.ts';
import type { PersonService } from '../domain/person-service.ts';
import type { PresenceService } from '../domain/presence-service.ts';
import type { Precondition, Records } from '../domain/record.ts';
import type { TransferService } from '../domain/transfer-service.ts';
import type { Feed } from '../feed/feed.ts';
import type { BotServices } from '../guild-lookups/bot-services.ts';

/** The parts of the service that operations use; one set per application. */
export interface Services {
  readonly authenticator: Authenticator;
  readonly application: OwnApplication;
  readonly granted: GrantedAccess;
  readonly principalLimit: PrincipalLimit;
  readonly guilds: GuildService;
  readonly accessLists: AccessService;
  readonly records: Records;
  readonly schemas: DeclaredSchemas | undefined;
  /** Maximum bytes of a body, and of the input of a tRPC call, unless the operation allows more. */
  readonly bodyBytes: number;
  /** Maximum bytes of a record as JSON. */
  readonly recordBytes: number;
  readonly history: HistoryService;
  readonly transfer: TransferService;
  readonly people: PersonService;
  readonly presence: PresenceService;
  readonly lookups: BotServices | undefined;
  readonly feed: Feed;
  readonly arrivals: Arrivals;
  readonly streams: InProgress;
  readonly monotonicMs: () => number;
}

export type Transport = 'rest' | 'trpc';

/**
 * Data of an HTTP request. Each header is parsed when its method is called, which throws a ProblemError for an invalid
 * one.
 */
export interface RequestInfo {
  readonly transport: Transport;
  readonly url: string;
  /** Returns the client's IP address, considering the trusted proxies. */
  clientIp(): string;
  isGone(): boolean;
  accessToken(): string;
  /**
   * Renews the token of a session after Discord has rejected it. @returns false: there is no other token @throws
   * ProblemError
   */
  renewToken(): Promise<boolean>;
  onBehalfOf(): Snowflake | undefined;
  precondition(): Precondition | undefined;
  /** Returns the preferred wait in seconds until a change is live; undefined: none. */
  preferredWait(): number | undefined;
  /** Returns true if the caller does not accept a cached result: `Cache-Control: no-cache` or `max-age=0`. */
  wantsNewResult(): boolean;
  auditReason(): string | null;
}

/** Data about a result that is sent in headers. */
export interface Facts {
  /** The version of the record in the body. */
  readonly version?: Version;
  readonly skipped?: readonly string[];
  readonly notModified?: boolean;
  /** True: the record in the body never changes, because it is a past revision. */
  readonly immutable?: boolean;
  readonly contentTag?: string;
  /** Seconds for which any cache may keep the result; absent: the result is for one client, and must be revalidated. */
  readonly publicSeconds?: number;
  readonly ageSeconds?: number;
  readonly next?: string;
  readonly arrival?: Omit<Arrival, 'revision' | 'watchers'> & { readonly waitSeconds: number };
}

/** Data of a response besides its body. Handlers return some of it; the runner adds the rest. */
export interface ResponseState {
  facts?: Facts;
  /** The tag of the declaration in the entity tag of a record; absent: no declaration. */
  declarationTag?: string | undefined;
  rateLimit?: RateLimitState;
  deprecation?: Deprecation;
}

/** The token check of a request, shared by all calls of a batch. */
export interface TokenCheckSlot {
  checked?: Promise<AuthenticatedToken>;
  principal?: Principal;
}

export interface Call {
  readonly services: Services;
  readonly request: RequestInfo;
  readonly token: TokenCheckSlot;
  /** Limits responses that are produced but not sent yet; absent: the transport does so itself. */
  readonly room?:
    | {
        /** Resolves when there is capacity for the response. @throws ProblemError rate-limited */
        reserve(): Promise<void> | undefined;
      }
    | undefined;
  /** Returns the parameters of a REST path, or the complete input of a tRPC call. */
  readonly input: () => Promise<unknown>;
  /**
   * Reads the fields of a REST body; absent if the body is part of the input.
   * @throws ProblemError invalid-body, body-too-large, unsupported-media-type
   */
  readonly body?: (() => Promise<object>) | undefined;
  /** Aborts when the client disconnects; given to subscriptions. */
  readonly signal?: AbortSignal | undefined;
}

export interface Exchange extends Call {
  readonly response: ResponseState;
}
