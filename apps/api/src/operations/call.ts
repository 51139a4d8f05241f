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

/** The parts of the service that operations use; one set for each application. */
export interface Services {
  readonly authenticator: Authenticator;
  readonly application: OwnApplication;
  readonly granted: GrantedAccess;
  readonly principalLimit: PrincipalLimit;
  readonly guilds: GuildService;
  readonly accessLists: AccessService;
  readonly records: Records;
  readonly schemas: DeclaredSchemas | undefined;
  /** Bytes of a body, and of one tRPC call's input, unless the operation takes more. */
  readonly bodyBytes: number;
  /** Bytes of the largest record as JSON. */
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

/** Facts of an HTTP request. Each header is parsed when a method is called, which throws a ProblemError for a bad one. */
export interface RequestInfo {
  readonly transport: Transport;
  readonly url: string;
  /** Returns the client's IP address, by the configured trust in proxies. */
  clientIp(): string;
  isGone(): boolean;
  accessToken(): string;
  /** Replaces the token of a session, which Discord has rejected. @returns false: there is no other one @throws ProblemError */
  renewToken(): Promise<boolean>;
  onBehalfOf(): Snowflake | undefined;
  precondition(): Precondition | undefined;
  /** Returns the seconds for which the caller prefers to wait until a change is live; undefined: none. */
  preferredWait(): number | undefined;
  /** Returns true if the caller requests a result that was not stored: `Cache-Control: no-cache` or `max-age=0`. */
  wantsNewResult(): boolean;
  auditReason(): string | null;
}

/** Facts about a result, which are headers. */
export interface Facts {
  /** The state of the record in the body. */
  readonly version?: Version;
  readonly skipped?: readonly string[];
  readonly notModified?: boolean;
  /** True: the record in the body never changes, because it is a past revision. */
  readonly immutable?: boolean;
  readonly contentTag?: string;
  /** Seconds for which any cache may keep the result; absent: it is for one client, and must be revalidated. */
  readonly publicSeconds?: number;
  readonly ageSeconds?: number;
  readonly next?: string;
  readonly arrival?: Omit<Arrival, 'revision' | 'watchers'> & { readonly waitSeconds: number };
}

/** Facts of a response beyond its body. The handler's are those that it has returned; the runner adds the others. */
export interface ResponseState {
  facts?: Facts;
  /** Names the declaration of the settings in the entity tag of a record; absent: there is none. */
  declarationTag?: string | undefined;
  rateLimit?: RateLimitState;
  deprecation?: Deprecation;
}

/** The token of a request, checked once for all calls of a batch. */
export interface TokenCheckSlot {
  checked?: Promise<AuthenticatedToken>;
  principal?: Principal;
}

export interface Call {
  readonly services: Services;
  readonly request: RequestInfo;
  readonly token: TokenCheckSlot;
  /** Bounds what is made and not yet sent; absent: the transport does that itself. */
  readonly room?:
    | {
        /** Resolves when there is room for the response. @throws ProblemError rate-limited */
        reserve(): Promise<void> | undefined;
      }
    | undefined;
  /** Returns the parameters of a REST path, or the whole input of a tRPC call. */
  readonly input: () => Promise<unknown>;
  /**
   * Reads the fields of a REST body; absent where the body is part of the input.
   * @throws ProblemError invalid-body, body-too-large, unsupported-media-type
   */
  readonly body?: (() => Promise<object>) | undefined;
  /** Aborts when the client has gone; given to subscriptions. */
  readonly signal?: AbortSignal | undefined;
}

export interface Exchange extends Call {
  readonly response: ResponseState;
}
