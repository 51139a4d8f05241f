import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { clientNetwork } from '@guild-settings/runtime/http-server';
import type { FastifyInstance } from 'fastify';
import { COUNTED_BYTES, ResponseRoom, type UnsentResponses } from './unsent-responses.ts';

/** Bytes that are given to a connection at a time. A client that reads none of them within the write timeout is disconnected. */
const PART_BYTES = 64 * 1_024;

declare module 'fastify' {
  interface FastifyRequest {
    /** The room of the response; made when it is needed. */
    room?: ResponseRoom;
  }
}

/** Counts every large response until it is sent, and sends it in parts. */
export function boundResponses(app: FastifyInstance, unsent: UnsentResponses): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    // Content that is sent to everybody is in memory once: its buffer is not counted.
    const isOwn = typeof payload === 'string' || (payload instanceof Buffer && request.room !== undefined);
    if (!isOwn || payload.length <= COUNTED_BYTES / 4 || request.method === 'HEAD') {
      request.room?.made(0);
      return done();
    }
    const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload;
    request.room ??= new ResponseRoom(unsent, reply.raw, {
      maxBytes: 0,
      token: {},
      clientNetwork: () => clientNetwork(request.ip),
    });
    request.room.made(bytes.length);
    if (bytes.length <= PART_BYTES) return done(null, bytes);
    reply.header('content-length', bytes.length);
    done(null, inParts(bytes));
  });
}

/** Returns a stream of parts of a buffer, which are not copies. Other requests are served between two parts. */
export function inParts(body: Buffer): Readable {
  return Readable.from(partsOf(body));
}

async function* partsOf(body: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < body.length; at += PART_BYTES) {
    yield body.subarray(at, at + PART_BYTES);
    await setImmediate();
  }
}
