import { LIMITS, ProblemError } from '@guild-settings/contract';
import type { AnyOperation } from '@guild-settings/contract/operations';
import { clientNetwork } from '@guild-settings/runtime/http-server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ZodNever, ZodObject, type ZodType } from 'zod';
import { InProgress } from '../../auth/limits.ts';
import { personOf } from '../../auth/principal.ts';
import { createTurns } from '../../clock.ts';
import type { ResponseState, Services, TokenCheckSlot } from '../../operations/call.ts';
import type { ServedOperation } from '../../operations/handler.ts';
import { OPERATIONS_BY_PATH } from '../../operations/handlers.ts';
import { run } from '../../operations/run.ts';
import { sendProblem } from '../problems.ts';
import { isDocument, type PublicDocuments } from '../public-documents.ts';
import { routeWithSlash } from '../receive-requests.ts';
import { HttpRequestInfo } from '../request-info.ts';
import { responseHeaders } from '../response-headers.ts';
import { ResponseRoom, type UnsentResponses } from '../responses.ts';
import { sendStatic } from '../static-content.ts';
import { readJsonObject } from './json-body.ts';

/** The query parameter for a preview: the change is computed, but not made. */
const DRY_RUN = 'dry_run';

interface RestOptions {
  readonly services: Services;
  readonly documents: PublicDocuments;
  readonly unsent: UnsentResponses;
}

/**
 * Serves every operation that declares a REST route. The handlers of trpc-openapi are not used, because they coerce
 * values: docs/decisions/0001-own-rest-routes.md.
 */
export function mountRest(app: FastifyInstance, { services, documents, unsent }: RestOptions): void {
  const largeBodies = new LargeBodies();
  for (const operation of OPERATIONS_BY_PATH.values()) {
    // Streams have their own transport.
    if (operation.rest === undefined || operation.type === 'subscription') continue;
    // A deployment without a declaration has the paths of the specification.
    if (operation.isOfDeclaration && services.records.settings.tag === undefined) continue;
    const { method, path, alias } = operation.rest;
    const url = path.replaceAll(/\{(\w+)\}/g, ':$1');
    if (isDocument(operation)) {
      const config = { publicResults: () => 1 };
      const handler = async (request: FastifyRequest, reply: FastifyReply) =>
        sendStatic(request, reply, await documents.rest(operation));
      routeWithSlash(app, { method: 'GET', url, config, handler });
      continue;
    }
    const readParameters = parametersOf(operation) ?? (operation.type === 'mutation' ? pathOfChange : pathParameters);
    routeWithSlash(app, {
      method: [method, ...(alias ? [alias.method] : [])],
      url,
      config: { publicResults: () => (operation.access === 'public' ? 1 : 0) },
      // Not an async handler: the way in which Fastify waits for its promise is slow.
      handler: (request, reply) => {
        const token: TokenCheckSlot = {};
        const maxBytes = operation.maxOutputBytes ?? services.recordBytes;
        const clientNetworkOf = () => clientNetwork(request.ip);
        request.room = new ResponseRoom(unsent, reply.raw, { maxBytes, token, clientNetwork: clientNetworkOf });
        respond(operation, { request, reply, services, token, readParameters, largeBodies }).catch((error: unknown) =>
          sendProblem(reply, error, token.principal),
        );
      },
    });
  }
}

function pathParameters({ params }: FastifyRequest): object {
  return params as object;
}

/** Returns the path parameters. Refuses a preview, which this operation does not have; other queries are ignored. */
function pathOfChange({ params, query }: FastifyRequest): object {
  if (DRY_RUN in (query as object)) {
    const detail = `Expected no ${DRY_RUN}: this change has no preview. Nothing was changed.`;
    throw new ProblemError('invalid-request', { detail });
  }
  return params as object;
}

interface RestExchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly services: Services;
  readonly token: TokenCheckSlot;
  readonly readParameters: ReadParameters;
  readonly largeBodies: LargeBodies;
}

async function respond(operation: ServedOperation, exchange: RestExchange): Promise<void> {
  const { request, reply, services, token, readParameters } = exchange;
  const response: ResponseState = {};
  let end: (() => void) | undefined;
  const body = () => {
    const { maxInputBytes: maxBytes } = operation;
    if (maxBytes === undefined) return readJsonObject(request.raw, { maxBytes: services.bodyBytes });
    const { largeBodies } = exchange;
    end = largeBodies.begin(personOf(token.principal), request.headers['content-length']);
    return readJsonObject(request.raw, { maxBytes, turn: largeBodies.turn });
  };
  let result: unknown;
  try {
    result = await run(operation, {
      services,
      request: new HttpRequestInfo(request, 'rest'),
      response,
      token,
      room: request.room,
      input: async () => readParameters(request),
      body: operation.body && body,
    });
  } finally {
    reply.headers(responseHeaders(response));
    end?.();
  }
  const { success } = operation.rest ?? {};
  if (success !== undefined) {
    reply.code(success).send();
    return;
  }
  const json = JSON.stringify(result);
  if (!response.facts?.notModified) {
    reply.type('application/json; charset=utf-8').send(json);
    return;
  }
  // For HEAD, Fastify takes the Content-Length from the payload without sending it.
  reply.code(304).send(request.method === 'HEAD' ? json : undefined);
}

type ReadParameters = (request: FastifyRequest) => object;

/**
 * Prepares the reading of an operation's parameters. They are text: those declared as numbers or booleans are
 * converted, and lists are comma-separated or repeated. Other text is left as it is, and rejected by the operation's
 * schema.
 * @returns a function that throws ProblemError invalid-request for an unknown query parameter of a strict operation;
 * undefined: no query, and the path parameters are text
 */
function parametersOf({ input, rest }: AnyOperation): ReadParameters | undefined {
  const shape: Readonly<Record<string, ZodType>> = input instanceof ZodObject ? input.shape : {};
  const types = new Map(Object.entries(shape).map(([name, schema]) => [name, typeOf(schema)]));
  const declared = new Set(rest?.query);
  const isInPath = (name: string) => rest?.path.includes(`{${name}}`) === true;
  const isConverted = [...types].some(([name, type]) => isInPath(name) && type !== 'string');
  if (rest?.query === undefined && !isConverted) return undefined;
  const isStrict = rest?.query !== undefined && input instanceof ZodObject && input.def.catchall instanceof ZodNever;
  return ({ params, query }) => {
    const given = Object.entries(query as object);
    const known = given.filter(([name]) => declared.has(name));
    if (isStrict && known.length < given.length) throw unknownParameter(given, declared);
    const parameters = [...Object.entries(params as object), ...known];
    return Object.fromEntries(parameters.map(([name, text]) => [name, convert(types.get(name), text)]));
  };
}

function unknownParameter(given: readonly [string, unknown][], declared: ReadonlySet<string>): ProblemError {
  const names = given.flatMap(([name]) => (declared.has(name) ? [] : [`"${name.slice(0, 64)}"`])).join(', ');
  return new ProblemError('invalid-request', {
    detail: `Expected only the query parameters ${[...declared].join(', ')}, received ${names}.`,
  });
}

function convert(type: string | undefined, text: unknown): unknown {
  if (type === 'array') return [text].flat().flatMap((part) => String(part).split(','));
  if (typeof text !== 'string') return text;
  if (type === 'number' && /^(0|[1-9]\d{0,15})$/.test(text)) return Number(text);
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

function typeOf(schema: ZodType): string {
  // Unwrapping an array would return its elements.
  if (schema.type === 'array') return schema.type;
  return 'unwrap' in schema && typeof schema.unwrap === 'function' ? typeOf(schema.unwrap() as ZodType) : schema.type;
}

const MEGABYTE = 1_024 * 1_024;

const TOO_MANY = 'Too many imports are in progress. Wait for their responses, then retry.';

/**
 * Limits the large bodies in memory, from before they are read until their response: four at a time and eight megabytes
 * per person, and 64 megabytes in total.
 */
class LargeBodies {
  readonly #bodies = new InProgress({ perPerson: 4, ofApplication: 16, refusal: tooMany });
  readonly #bytes = new InProgress({ perPerson: 8 * MEGABYTE, ofAll: 64 * MEGABYTE, refusal: tooMany });

  /**
   * Counts a body that is about to be read.
   * @param userId undefined: the application
   * @param length the value of Content-Length; undefined: the length is unknown
   * @returns a function to call after the response
   * @throws ProblemError rate-limited
   */
  begin(userId: string | undefined, length: string | undefined): () => void {
    const bytes = Math.min(Number(length ?? LIMITS.importBytes), LIMITS.importBytes);
    const endBytes = this.#bytes.begin(userId, bytes);
    try {
      const end = this.#bodies.begin(userId);
      return () => {
        end();
        endBytes();
      };
    } catch (error) {
      endBytes();
      throw error;
    }
  }

  /** Resolves when a body may be parsed and used. */
  readonly turn = createTurns();
}

function tooMany(): ProblemError {
  return new ProblemError('rate-limited', { retryAfter: 1, detail: TOO_MANY });
}
