import type { ZodObject, ZodType, z } from 'zod';
import { Guild } from '../guild.ts';
import { type Difference, GuildOrDifference } from '../history.ts';
import type { ProblemSlug } from '../problem-catalogue.ts';
import type { DeclaredSchemas } from '../settings/declared-schemas.ts';

/** A query reads, a mutation writes, and a subscription sends events, whose schema is the output. */
export type OperationType = 'query' | 'mutation' | 'subscription';

/**
 * The callers of an operation, and the problems for others:
 *
 * - `public`: every request, without credentials;
 * - `caller`: every user, and the application;
 * - `user`: a user, by a token of their own;
 * - `person`: a user, and the application on behalf of one;
 * - `application`: the application;
 * - `view`, `edit`, `manage`: people with this level of access to the guild in the path, and the application, while the
 *   bot is in that guild;
 * - `open`: users who may read the settings of that guild, even if the bot is not in it;
 * - `owner`: the owner of that guild, and the application, even if the bot is not in it.
 */
export const ACCESS = {
  public: [],
  caller: [],
  user: ['person-only'],
  person: ['person-only'],
  application: ['application-only'],
  view: ['not-guild-manager', 'bot-absent'],
  edit: ['not-guild-manager', 'insufficient-access', 'bot-absent'],
  manage: ['not-guild-manager', 'insufficient-access', 'bot-absent'],
  open: ['person-only', 'not-guild-manager'],
  owner: ['not-guild-owner'],
} as const satisfies Readonly<Record<string, readonly ProblemSlug[]>>;

export type OperationAccess = keyof typeof ACCESS;

export interface RestRoute {
  readonly method: 'GET' | 'PATCH' | 'POST' | 'PUT' | 'DELETE';
  readonly alias?: { readonly method: 'POST'; readonly operationId: string };
  readonly path: `/${string}`;
  /** Names of the input fields that are query parameters. Unless given, the query is ignored. */
  readonly query?: readonly string[];
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  /** Status of a success; 200 unless given. The others are for operations without a result, which is null over tRPC. */
  readonly success?: 202 | 204;
  readonly response: string;
  /** Request headers besides Authorization, by their names in the OpenAPI document. */
  readonly requestHeaders: readonly RequestHeaderName[];
  readonly responseHeaders?: readonly ResponseHeaderName[];
  /** Problems besides those of every operation with the same access, and of every body. */
  readonly problems: readonly ProblemSlug[];
  /** Additional problems if settings are declared. */
  readonly declaredProblems?: readonly ProblemSlug[];
  /** Examples of the result, by name; absent if there are none. */
  readonly examples?: Examples;
  readonly bodyExamples?: Examples;
}

type Examples = Readonly<Record<string, { readonly summary: string; readonly value: object }>>;

export type RequestHeaderName =
  | 'Cache-Control'
  | 'If-Match'
  | 'If-None-Match'
  | 'Prefer'
  | 'X-Audit-Log-Reason'
  | 'X-On-Behalf-Of';

export type ResponseHeaderName = 'Age' | 'Arrival' | 'Link' | 'Preference-Applied' | 'PublicCacheControl';

/** The media types of REST bodies: Accept-Patch (RFC 5789, section 3.1). */
export const BODY_MEDIA_TYPES: readonly string[] = ['application/json', 'application/merge-patch+json'];

/** Bytes of the largest results: a part of a history, and an export with one. */
export const LARGEST_RESULT_BYTES = 1_024 * 1_024;

/** Bytes of the longest lists: the channels of a guild. */
export const LIST_BYTES = 256 * 1_024;

/** The end of an operation: docs/evolution.md. */
export interface Deprecation {
  /** Start of the deprecation (RFC 3339, in whole seconds). */
  readonly since: `${string}Z`;
  /** The end of the operation (RFC 3339, in whole seconds); undecided unless given. */
  readonly sunset?: `${string}Z`;
  /** The URL of a page about the replacement. */
  readonly link?: string;
}

/** The schemas of an operation if settings are declared. */
export interface DeclaredInput {
  readonly input: ZodType;
  readonly body?: ZodObject;
  /** The path to the declared settings in the input; absent: none. */
  readonly custom?: readonly string[];
}

/**
 * An operation of the API, as promised to its callers. The tRPC procedure, the REST route, the OpenAPI operation and
 * the types of the client are derived from it. The api contains its handler.
 */
export interface Operation<Type extends OperationType, Access extends OperationAccess, Types extends OperationTypes> {
  readonly type: Type;
  readonly access: Access;
  /** For types only, never a value: compilers of callers need not derive the types from schemas. */
  readonly '~types'?: Types;
  /** The complete input: path parameters and body fields. */
  readonly input: ZodType;
  readonly body?: ZodObject;
  readonly declared?: (schemas: DeclaredSchemas) => DeclaredInput;
  /** The input field that is the entire REST body. Unless given, the body fields are input fields. */
  readonly bodyField?: string;
  /** The result; for a subscription, an event. Results are typed but not validated. */
  readonly output: ZodType;
  readonly rest?: RestRoute;
  /** Not in the document of a deployment without declared settings, which is that of the specification. */
  readonly isOfDeclaration?: true;
  readonly deprecation?: Deprecation;
  /** Bytes of a REST body, and of the application's input over tRPC; `LIMITS.bodyBytes` unless given. */
  readonly maxInputBytes?: number;
  /** Bytes of the largest usual result; those of the largest record unless given. */
  readonly maxOutputBytes?: number;
  readonly isOfManyRows?: true;
  /** Seconds for which any cache may keep the result, which is the same for every caller; absent: not cacheable. */
  readonly publicSeconds?: number;
  /** False: calls do not count against the rate limit. */
  readonly isCounted?: false;
  /** True: the page calls it, with a session instead of a token. */
  readonly page?: true;
}

/** The types of an input as sent, of a validated input, and of the result or event. */
export interface OperationTypes {
  readonly sent: unknown;
  readonly checked: unknown;
  readonly result: unknown;
}

export type AnyOperation = Operation<OperationType, OperationAccess, OperationTypes>;

type Declared<Input extends ZodType, Output extends ZodType> = { readonly input: Input; readonly output: Output };

/** Returns an operation with the types of its input and its output. */
export function operation<
  Type extends OperationType,
  Access extends OperationAccess,
  Input extends ZodType,
  Output extends ZodType,
>(
  declaration: Operation<Type, Access, OperationTypes> & Declared<Input, Output>,
): Operation<Type, Access, { sent: z.input<Input>; checked: z.output<Input>; result: z.output<Output> }> {
  const { '~types': _, ...promised } = declaration;
  return promised;
}

/** The record in the type for clients: if settings are declared, with `custom`. */
export const RecordOutput: ZodType<Guild> = Guild;

/** The record after a change; for a preview, the difference. */
export const RecordOrDifference: ZodType<Guild | Difference> = GuildOrDifference;
