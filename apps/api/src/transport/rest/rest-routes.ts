import { ProblemError } from '@guild-settings/contract';
import { clientNetwork } from '@guild-settings/runtime/http-server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { personOf } from '../../auth/principal.ts';
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
import { LargeBodies } from './large-bodies.ts';
import { parametersOf, type ReadParameters } from './parameters.ts';

/** The query parameter by which a change is computed, and not made. */
const DRY_RUN = 'dry_run';

export interface RestOptions {
  readonly services: Services;
  readonly documents: PublicDocuments;
  readonly unsent: UnsentResponses;
}

/**
 * Serves every operation that declares a REST route. The handlers of trpc-openapi are not used, because they coerce:
 * docs/decisions/0001-own-rest-routes.md.
 */
export function mountRest(app: FastifyInstance, { services, documents, unsent }: RestOptions): void {
  const largeBodies = new LargeBodies();
  for (const operation of OPERATIONS_BY_PATH.values()) {
    // Streams have a transport of their own.
    if (operation.rest === undefined || operation.type === 'subscription') continue;
    // A deployment that declares nothing has the paths of the specification.
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
      // Not an async handler: Fastify waits for its promise in a costly way.
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

/** Returns the parameters of the path. Other queries are ignored, but who requests a preview must not get the change. */
function pathOfChange({ params, query }: FastifyRequest): object {
  if (DRY_RUN in (query as object)) {
    const detail = `Expected no ${DRY_RUN}: there is no preview of this change. Nothing was changed.`;
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
  // For HEAD, Fastify takes the Content-Length from the payload, and does not send it.
  reply.code(304).send(request.method === 'HEAD' ? json : undefined);
}
