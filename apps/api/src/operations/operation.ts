import type { DeclaredSchemas, DeclaredSettings, ProblemSlug } from '@guild-settings/contract';
import type { ZodObject, ZodType, z } from 'zod';
import type { Access } from './authorize.ts';
import type { Call } from './call.ts';
import type { Deprecation } from './deprecation.ts';

/** A query reads, a mutation writes, a subscription returns an AsyncIterator of {@link IdentifiedEvent}. */
export type OperationType = 'query' | 'mutation' | 'subscription';

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
  readonly examples?: Readonly<Record<string, { readonly summary: string; readonly value: object }>>;
  readonly bodyExamples?: Readonly<Record<string, { readonly summary: string; readonly value: object }>>;
}

/** The media types of REST bodies: Accept-Patch (RFC 5789, section 3.1). */
export const BODY_MEDIA_TYPES: readonly string[] = ['application/json', 'application/merge-patch+json'];

/** Bytes of the largest results: a part of a history, and an export with one. */
export const LARGEST_RESULT_BYTES = 1_024 * 1_024;

/** Bytes of the longest lists: those of all channels of a guild. */
export const LIST_BYTES = 256 * 1_024;

export type RequestHeaderName =
  | 'Cache-Control'
  | 'If-Match'
  | 'If-None-Match'
  | 'Prefer'
  | 'X-Audit-Log-Reason'
  | 'X-On-Behalf-Of';

export type ResponseHeaderName = 'Age' | 'Arrival' | 'Link' | 'Preference-Applied' | 'PublicCacheControl';

export type Handled<Granted, Input> = Granted & { readonly input: Input; readonly call: Call };

/**
 * The declaration of one thing that the API can do. Its tRPC procedure, its REST route and its OpenAPI operation are
 * derived from it, and both transports run it through {@link run}.
 */
export interface Operation<Type extends OperationType, Granted, Input extends ZodType, Result> {
  readonly type: Type;
  readonly access: Access<Granted>;
  /** The whole input: parameters of the path and fields of the body. */
  readonly input: Input;
  readonly body?: ZodObject;
  readonly declared?: (schemas: DeclaredSchemas) => { readonly input: ZodType; readonly body?: ZodObject };
  /** The field of the input that is the whole REST body. Unless given, the fields of the body are fields of the input. */
  readonly bodyField?: string;
  /** Documents the result. Results are built by type and are not validated. */
  readonly output: ZodType;
  readonly rest?: RestRoute;
  /** The document of a deployment that declares nothing does not list it, as it is that of the specification. */
  readonly isOfDeclaration?: true;
  readonly deprecation?: Deprecation;
  /** Bytes of a REST body, and of the application's input over tRPC; `LIMITS.bodyBytes` unless given. */
  readonly maxInputBytes?: number;
  /** Bytes of the largest usual result; those of the largest record unless given. */
  readonly maxOutputBytes?: number;
  /** True: the result is made of many rows, and has room before they are read. Another one has room before it is serialised. */
  readonly isOfManyRows?: true;
  /** The result, where it is the same for every caller: it is serialised and compressed once. */
  readonly document?: (settings: DeclaredSettings) => PublicDocument;
  readonly isCounted?: false;
  /** True: the page calls it, with a session in place of a token. */
  readonly page?: true;
  handle(call: Handled<Granted, z.output<Input>>): Promise<Result>;
}

/** A result that everybody may read, and that stays the same while the process runs. */
export interface PublicDocument {
  readonly value: unknown;
  /** Seconds for which any cache may keep it: a process that was started with another declaration has another one. */
  readonly maxAgeSeconds: number;
}

export type AnyOperation = Operation<OperationType, object, ZodType, unknown>;

export function operation<Type extends OperationType, Granted, Input extends ZodType, Result>(
  declaration: Operation<Type, Granted, Input, Result>,
): Operation<Type, Granted, Input, Result> {
  return declaration;
}
