import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { PROBLEM_MEDIA_TYPE, PROBLEMS, ProblemError, type ProblemSlug } from '@guild-settings/contract';
import { commonHeaders } from '../headers/response-headers.ts';

const BY_CODE: ReadonlyMap<string, ProblemSlug> = new Map([
  ['ERR_HTTP_REQUEST_TIMEOUT', 'request-timeout'],
  ['HPE_HEADER_OVERFLOW', 'headers-too-large'],
]);

/**
 * Responds to a request that is malformed or arrives too slowly, and closes the connection.
 * @param record called with the status of the response
 */
export function answerClientError(
  error: Error & { readonly code?: string },
  socket: Socket,
  record: (status: number) => void,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const problem = new ProblemError(BY_CODE.get(error.code ?? '') ?? 'invalid-request', {
    ...(!BY_CODE.has(error.code ?? '') && { detail: 'This is not a well-formed HTTP/1.1 request.' }),
  });
  const { status } = PROBLEMS[problem.slug];
  record(status);
  const body = JSON.stringify(problem.toProblem('/'));
  const headers = {
    ...commonHeaders(randomUUID()),
    'content-type': PROBLEM_MEDIA_TYPE,
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n'));
}
