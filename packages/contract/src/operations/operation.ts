import type { ZodObject, ZodType, z } from 'zod';
import { Guild } from '../guild.ts';
import { type Difference, GuildOrDifference } from '../history.ts';
import type { ProblemSlug } from '../problem-catalogue.ts';
import type { DeclaredSchemas } from '../settings/declared-schemas.ts';

/** A query reads, a mutation writes, a subscription sends events, whose schema is the output. */
export type OperationType = 'query' | 'mutation' | 'subscription';

/**
 * The callers of an operation, and the failures of those who may not call it:
 *
 * - `public`: every request, without credentials;
 * - `caller`: every user, and the application;
 * - `user`: a user, by a token of their own;
 * - `person`: a user, and the application on behalf of one;
 * - `application`: the application;
 * - `view`, `edit`, `manage`: who has this level of access to the guild that the path names, and the application, while the
 *   bot is in that guild;
 * - `open`: users who may read the settings of that guild, whether the bot is in it or not;
 * - `owner`: the owner of that guild, and the application, whether the bot is in it or not.
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
  /** Names of the input's fields that are query parameters. Unless given, the query is ignored. */
  readonly query?: readonly string[];
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  /** Status of a success: 200 unless given. The others are for operations without a result, which is null over tRPC. */
  readonly success?: 202 | 204;
  readonly response: string;
  /** Request headers beyond Authorization, as the OpenAPI document names them. */
  readonly requestHeaders: readonly RequestHeaderName[];
  readonly responseHeaders?: readonly ResponseHeaderName[];
  /** Failures beyond those of every operation with the same access, and of every body. */
  readonly problems: readonly ProblemSlug[];
  /** Failures beside those, where settings are declared. */
  readonly declaredProblems?: readonly ProblemSlug[];
  /** Examples of the result, by name; absent where there is none. */
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

/** Bytes of the longest lists: those of all channels of a guild. */
export const LIST_BYTES = 256 * 1_024;

/** The end of an operation: docs/evolution.md. */
export interface Deprecation {
  /** Since when (RFC 3339, in whole seconds). */
  readonly since: `${string}Z`;
  /** The end of the operation (RFC 3339, in whole seconds); unless given, this is not decided. */
  readonly sunset?: `${string}Z`;
  /** The URL of a page about what takes its place. */
  readonly link?: string;
}

/** The schemas of an operation where settings are declared. */
export interface DeclaredInput {
  readonly input: ZodType;
  readonly body?: ZodObject;
  /** The names of the way to the declared settings in the input; absent: it has none. */
  readonly custom?: readonly string[];
}

/**
 * A thing that the API can do, as it is promised to its callers. The tRPC procedure, the REST route, the OpenAPI operation
 * and the types of the client are derived from it. The api has its handler.
 */
export interface Operation<Type extends OperationType, Access extends OperationAccess, Types extends OperationTypes> {
  readonly type: Type;
  readonly access: Access;
  /** Types alone, never a value: compilers of callers need not derive them from schemas. */
  readonly '~types'?: Types;
  /** The whole input: parameters of the path and fields of the body. */
  readonly input: ZodType;
  readonly body?: ZodObject;
  readonly declared?: (schemas: DeclaredSchemas) => DeclaredInput;
  /** The field of the input that is the whole REST body. Unless given, the fields of the body are fields of the input. */
  readonly bodyField?: string;
  /** The result; of a subscription, an event. Results are built by type and are not validated. */
  readonly output: ZodType;
  readonly rest?: RestRoute;
  /** The document of a deployment that declares nothing does not list it, as it is that of the specification. */
  readonly isOfDeclaration?: true;
  readonly deprecation?: Deprecation;
  /** Bytes of a REST body, and of the application's input over tRPC; `LIMITS.bodyBytes` unless given. */
  readonly maxInputBytes?: number;
  /** Bytes of the largest usual result; those of the largest record unless given. */
  readonly maxOutputBytes?: number;
  readonly isOfManyRows?: true;
  /** Seconds for which any cache may keep the result, which is the same for every caller; absent: it is not. */
  readonly publicSeconds?: number;
  /** False: calls do not count against the rate limit. */
  readonly isCounted?: false;
  /** True: the page calls it, with a session in place of a token. */
  readonly page?: true;
}

/** The types of an input as it is sent, of an input after its check, and of the result or of an event. */
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

/** The record, with the type that clients have: where settings are declared, it has `custom`. */
export const RecordOutput: ZodType<Guild> = Guild;

/** The record after a change; of a preview, the difference that it would make. */
export const RecordOrDifference: ZodType<Guild | Difference> = GuildOrDifference;
