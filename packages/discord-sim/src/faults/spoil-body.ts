import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import type { BodyFault } from './fault.ts';

/** Returns the replacement of a body. Fastify sets the content length of strings, but not of streams. */
export function spoilBody(fault: BodyFault, body: string, reply: FastifyReply): string | Readable {
  switch (fault.kind) {
    case 'truncated-json':
      return firstHalf(body);
    case 'wrong-shape':
      return JSON.stringify(body.startsWith('[') ? { items: null } : [{ unexpected: true }]);
    case 'close-mid-body':
      reply.header('content-length', Buffer.byteLength(body));
      return Readable.from(halfThenBreak(body));
  }
}

function firstHalf(body: string): string {
  return body.slice(0, Math.floor(body.length / 2));
}

async function* halfThenBreak(body: string): AsyncGenerator<string> {
  yield firstHalf(body);
  // The first half must be sent before Fastify handles the error by destroying the socket.
  await nextTurn();
  throw new Error('Closed by fault close-mid-body');
}
