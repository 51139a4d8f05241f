import { type IncomingMessage, METHODS } from 'node:http';
import { requestId } from '../headers/response-headers.ts';

/** An error of Node's HTTP parser, or a timeout. */
export interface UnreadableError extends Error {
  readonly code?: string;
  /** A Buffer of what was received together with the error; absent for a timeout. */
  readonly rawPacket?: unknown;
}

/** The readable facts of a request that failed before it was complete. */
export interface RequestHead {
  /** The client's own id if it could be read, a new one otherwise. */
  readonly requestId: string;
  /** Undefined: the request has none, or it could not be read. */
  readonly origin: string | undefined;
  /** The permission of a body in the response: not for HEAD, nor if the method could not be read. */
  readonly body: 'allowed' | 'head' | 'unknown';
}

/** Returns the facts of a request whose headers were received and whose body is malformed or too slow. */
export function headOf(request: IncomingMessage): RequestHead {
  const { method, headers } = request;
  return { requestId: requestId(request), origin: headers.origin, body: method === 'HEAD' ? 'head' : 'allowed' };
}

/**
 * Returns the facts of a request whose headers were not received as a whole, from what arrived together with the error: all
 * of the request, or the last part of it. Node does not keep the parts before.
 */
export function readHead({ code, rawPacket }: UnreadableError): RequestHead {
  const packet = Buffer.isBuffer(rawPacket) ? rawPacket.toString('latin1') : '';
  return {
    requestId: requestId({ headers: { 'x-request-id': headerIn(packet, 'x-request-id') } }),
    origin: headerIn(packet, 'origin'),
    body: bodyFor(packet, code),
  };
}

function bodyFor(packet: string, code: string | undefined): RequestHead['body'] {
  const method = /^(?:\r?\n)*([A-Z-]+) /.exec(packet)?.[1] ?? '';
  // Several requests may be in one packet, and the packet may be the end of one.
  if (packet.includes('HEAD ')) return method === 'HEAD' ? 'head' : 'unknown';
  // A method that HTTP does not have is not HEAD either.
  return METHODS.includes(method) || code === 'HPE_INVALID_METHOD' ? 'allowed' : 'unknown';
}

function headerIn(packet: string, name: string): string | undefined {
  const lines = packet.split('\r\n').slice(1, -1);
  const line = lines.findLast((one) => one.slice(0, name.length + 1).toLowerCase() === `${name}:`);
  return line?.slice(name.length + 1).trim();
}
