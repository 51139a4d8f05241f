import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { PROBLEM_MEDIA_TYPE, PROBLEMS, ProblemError, type ProblemSlug } from '@guild-settings/contract';
import { pendingResponse } from '@guild-settings/runtime/http-server';
import type { Cors } from '../headers/cors.ts';
import { commonHeaders } from '../headers/response-headers.ts';
import { headOf, type RequestHead, readHead, type UnreadableError } from './request-head.ts';

const BY_CODE: ReadonlyMap<string, ProblemSlug> = new Map([
  ['ERR_HTTP_REQUEST_TIMEOUT', 'request-timeout'],
  ['HPE_HEADER_OVERFLOW', 'headers-too-large'],
]);

interface ClientErrorOptions {
  readonly cors: Cors;
  readonly record: (unreadable: { readonly status: number; readonly reqId: string }) => void;
}

/**
 * Responds to a request that is malformed or arrives too slowly, and closes the connection. Node has no `ServerResponse` for such
 * a request, so whether it has a body is decided here.
 */
export function respondToClientError(
  error: UnreadableError,
  socket: Socket,
  { cors, record }: ClientErrorOptions,
): void {
  const response = pendingResponse(socket);
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  // The client is receiving the response already, and would take a second one for a part of it.
  if (response?.headersSent) return void socket.destroySoon();
  // The request is complete, so the error is in what follows it. The response is sent, and is the last one.
  if (response?.req.complete) return void response.setHeader('connection', 'close');
  const slug = BY_CODE.get(error.code ?? '');
  const problem = new ProblemError(slug ?? 'invalid-request', {
    ...(slug === undefined && { detail: 'This is not a well-formed HTTP/1.1 request.' }),
  });
  const head = response === undefined ? readHead(error) : headOf(response.req);
  record({ status: PROBLEMS[problem.slug].status, reqId: head.requestId });
  socket.end(responseTo(head, problem, cors));
}

/** Returns a whole response. Without a body, its length is that of the response to GET only if the request is HEAD. */
function responseTo({ requestId, origin, body }: RequestHead, problem: ProblemError, cors: Cors): string {
  const { status } = PROBLEMS[problem.slug];
  const text = JSON.stringify(problem.toProblem('/'));
  const headers = {
    ...commonHeaders({ requestId, origin: origin ?? cors.onlyOrigin, cors }),
    ...(body !== 'unknown' && { 'content-type': PROBLEM_MEDIA_TYPE }),
    'content-length': body === 'unknown' ? '0' : String(Buffer.byteLength(text)),
    date: new Date().toUTCString(),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', ''].join('\r\n');
  return body === 'allowed' ? head + text : head;
}
