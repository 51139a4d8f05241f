import type { IncomingMessage } from 'node:http';
import { LIMITS, ProblemError } from '@guild-settings/contract';
import type { OperationType } from '@guild-settings/contract/operations';
import { clientNetwork } from '@guild-settings/runtime/http-server';
import { resolveResponse } from '@trpc/server/http';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Principal } from '../../auth/principal.ts';
import type { ResponseState, Services, TokenCheckSlot } from '../../operations/call.ts';
import type { ServedOperation } from '../../operations/handler.ts';
import { OPERATIONS_BY_PATH } from '../../operations/handlers.ts';
import type { SessionRequests } from '../../page/session-routes.ts';
import { problemFrom, problemHeaders, recordProblem } from '../problems.ts';
import { isDocument, operationsOf, type PublicDocuments } from '../public-documents.ts';
import { HttpRequestInfo } from '../request-info.ts';
import { responseHeaders } from '../response-headers.ts';
import { ResponseRoom, type UnsentResponses } from '../responses.ts';
import { readJsonText } from '../rest/json-body.ts';
import { sendStatic } from '../static-content.ts';
import { isBatchRequest, refuseCalls, refuseToken, type TrpcRequest } from './refused-token.ts';
import { appRouter, type CallContext } from './router.ts';

const METHODS_OF: Readonly<Record<OperationType, string>> = {
  query: 'GET, HEAD, OPTIONS',
  mutation: 'OPTIONS, POST',
  subscription: 'GET, HEAD, OPTIONS',
};

interface TrpcOptions {
  readonly services: Services;
  readonly documents: PublicDocuments;
  readonly unsent: UnsentResponses;
  /** Finds the sessions of requests; undefined: the page is not served. */
  readonly sessions: SessionRequests | undefined;
}

/** Serves the router under /trpc: queries by GET, mutations by POST. */
export function mountTrpc(app: FastifyInstance, options: TrpcOptions): void {
  const { documents } = options;
  app.route<{ Params: { path: string } }>({
    method: ['GET', 'POST'],
    url: '/trpc/:path',
    config: { isListed, publicResults, takesSession: true },
    handler: (request, reply) =>
      sendDocuments(request, reply, documents) ??
      respondWithSession(request, reply, options) ??
      refuseToken(request, reply, documents) ??
      respond(request, reply, options),
  });
}

/** Responds to a request with a session instead of a token; undefined: it has none, or needs none. */
function respondWithSession(request: TrpcRequest, reply: FastifyReply, options: TrpcOptions) {
  const { sessions } = options;
  if (sessions?.idOf(request) === undefined) return undefined;
  const operation = OPERATIONS_BY_PATH.get(request.params.path);
  if (operation !== undefined && operation.access === 'public') return undefined;
  if (operation?.page !== true) return refuseCalls(request, reply, NOT_OF_PAGE);
  return sessions.open(request).then(
    (session) => {
      request.session = session;
      return respond(request, reply, options);
    },
    (error: unknown) => refuseCalls(request, reply, problemFrom(error)),
  );
}

const NOT_OF_PAGE = new ProblemError('not-found', { detail: 'Expected one procedure that pages may call.' });

/** Sends public documents, if a request is only for documents. */
function sendDocuments(request: TrpcRequest, reply: FastifyReply, documents: PublicDocuments) {
  const { path } = request.params;
  const isBatch = isBatchRequest(request);
  const operations = operationsOf(path, isBatch);
  const repeated = operations.filter(isDocument);
  const isRepeated = new Set(repeated).size < repeated.length;
  if (isRepeated) {
    const bytes = repeated.reduce((sum, one) => sum + documents.textOf(one).length, 0);
    // Clients batch the calls of one moment, whatever they are. Small results may be repeated without limit.
    return bytes > MAX_REPEATED ? refuseCalls(request, reply, REPEATED) : undefined;
  }
  const hasInput = 'input' in (request.query as object) && !isBatch;
  const isSent = request.method !== 'POST' && !hasInput && operations.length <= LIMITS.batchCalls;
  if (!isSent || !operations.every(isDocument)) return undefined;
  reply.header('vary', `${reply.getHeader('vary')}, accept`);
  return documents.trpc(path, operations, isBatch).then((content) => sendStatic(request, reply, content));
}

/** Characters of the documents of a batch that names one of them several times. */
const MAX_REPEATED = 64 * 1_024;

const REPEATED = new ProblemError('invalid-request', {
  detail: 'Expected each public operation once in a batch: its result is the same for every call.',
});

function publicResults(params: unknown): number {
  const { path = '' } = params as { readonly path?: string };
  const operations = operationsOf(path, true);
  return operations.filter((operation) => operation !== undefined && operation.access === 'public').length;
}

/** Returns true if a path names an operation. tRPC itself checks this for GET and POST. */
function isListed(params: unknown): boolean {
  const { path = '' } = params as { readonly path?: string };
  return path.split(',').some((name) => OPERATIONS_BY_PATH.has(name));
}

async function respond(
  request: TrpcRequest,
  reply: FastifyReply,
  { services, documents, unsent }: TrpcOptions,
): Promise<FastifyReply> {
  const { path } = request.params;
  const token: TokenCheckSlot = {};
  const bytesOf = (operation: ServedOperation | undefined) =>
    isDocument(operation) ? documents.textOf(operation).length : (operation?.maxOutputBytes ?? services.recordBytes);
  const room = new ResponseRoom(unsent, reply.raw, {
    maxBytes: operationsOf(path, isBatchRequest(request)).reduce((sum, operation) => sum + bytesOf(operation), 0),
    token,
    clientNetwork: () => clientNetwork(request.ip),
  });
  request.room = room;
  const state: ResponseState = {};
  const maxBytes = async () => maxInputBytes(path, services.bodyBytes, (await token.checked)?.principal);
  const response = await resolveResponse({
    router: appRouter,
    req: readTrpcRequest(request.raw, maxBytes),
    path,
    error: null,
    maxBatchSize: LIMITS.batchCalls,
    createContext: async ({ info }): Promise<CallContext> => ({
      services,
      request: new HttpRequestInfo(request, 'trpc', info.calls.length),
      response: state,
      token,
      room,
    }),
    onError: ({ error }) => recordProblem(request, problemFrom(error), token.principal),
    responseMeta({ errors, info }) {
      if ((info?.calls.length ?? 0) > 1) {
        // Some data of a result does not apply to a batch: its entity tag, its next part, and its cache lifetime.
        const { skipped, arrival } = state.facts ?? {};
        state.facts = { ...(skipped && { skipped }), ...(arrival && { arrival }) };
      }
      const vary = `${reply.getHeader('vary')}, accept`;
      const problems = errors.map(problemFrom);
      const isWrongMethod = problems.some(({ slug }) => slug === 'method-not-allowed');
      const allow = isWrongMethod && { allow: METHODS_OF[OPERATIONS_BY_PATH.get(path)?.type ?? 'query'] };
      // tRPC does not set the media type of a request that it refuses before its calls.
      const common = { vary, 'content-type': 'application/json' };
      return { headers: Object.assign(common, responseHeaders(state), allow, ...problems.map(problemHeaders)) };
    },
  });
  const { notModified = false, version, contentTag } = state.facts ?? {};
  const isNotModified = notModified && response.ok && (version ?? contentTag) !== undefined;
  const body = Buffer.from(await response.arrayBuffer());
  return reply
    .code(isNotModified ? 304 : response.status)
    .headers(Object.fromEntries(response.headers))
    .send(isNotModified && request.method !== 'HEAD' ? undefined : body);
}

/** Bytes of a tRPC input besides the body of REST: the guild's id, and the braces of a batch. */
const ENVELOPE_BYTES = 128;

/**
 * Returns the maximum size of the body of a tRPC request in bytes. Only the application may send large inputs: an input
 * is parsed before the caller's permission in a guild can be checked, because it contains the guild's id.
 * @param path the operations of the request, comma-separated
 * @param bodyBytes the limit of one call
 */
function maxInputBytes(path: string, bodyBytes: number, principal: Principal | undefined): number {
  const names = path.split(',').slice(0, LIMITS.batchCalls);
  const large = principal?.kind === 'application' ? names.map(largeInputBytes) : [];
  return Math.max(names.length * (bodyBytes + ENVELOPE_BYTES), ...large);
}

function largeInputBytes(name: string): number {
  return OPERATIONS_BY_PATH.get(name)?.maxInputBytes ?? 0;
}

/**
 * Converts a Node request to the parts that tRPC reads. HEAD is converted to GET, because tRPC responds 204 to every HEAD.
 * A media type other than JSON is refused when the input is read, after the credentials. Streamed batches are not
 * offered, because their headers are sent before the results are known. The body is read when an operation reads its
 * input.
 * @param maxBytes resolves with the maximum size of the body in bytes; called when the body is read
 */
function readTrpcRequest(raw: IncomingMessage, maxBytes: () => Promise<number>): Request {
  const isPost = raw.method === 'POST';
  const request = new Request(new URL(raw.url ?? '', 'http://service'), {
    method: isPost ? 'POST' : 'GET',
    headers: { 'content-type': 'application/json' },
  });
  const text = async () => {
    const isJson = /^application\/json\s*(;|$)/i.test(raw.headers['content-type'] ?? '');
    if (!isJson) throw new ProblemError('unsupported-media-type');
    return readJsonText(raw, { maxBytes: await maxBytes() });
  };
  return isPost ? Object.assign(request, { text }) : request;
}
