import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import type { BodyFault } from './fault.ts';

/** What goes out in place of `body`. Fastify frames strings by their own length and streams by the header. */
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
  // The half must be on its way before Fastify answers the error by destroying the socket.
  await nextTurn();
  throw new Error('Closed by fault close-mid-body');
}
