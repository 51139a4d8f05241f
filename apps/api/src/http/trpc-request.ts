import type { IncomingMessage, ServerResponse } from 'node:http';
import { ProblemError } from '@guild-settings/contract';
import { incomingMessageToRequest } from '@trpc/server/adapters/node-http';

/** Bytes of one tRPC request: room for a full presence snapshot. */
const BODY_LIMIT = 2 * 1024 * 1024;

/** A tRPC request as tRPC reads it, and what the ladder wants to know of its body. */
export interface TrpcRequest {
  readonly fetchRequest: Request;
  /** Bytes of the body that have come in so far. */
  readonly bytes: () => number;
  /** The body is of no type that is taken here. */
  readonly inputProblem: ProblemError | undefined;
}

/**
 * The request as tRPC reads it, with three differences. HEAD is answered as GET is, where tRPC would say 204 to anybody.
 * Another media type than JSON is refused after the credentials, where tRPC would refuse it before. Streamed batches are
 * not spoken: their headers are sent before there is anything to say in them.
 */
export function readTrpcRequest(raw: IncomingMessage, response: ServerResponse): TrpcRequest {
  let size = 0;
  const isPost = raw.method === 'POST';
  if (isPost) {
    raw.on('data', (chunk: Buffer) => {
      size += chunk.length;
    });
  }
  const { headers } = raw;
  const isJson = /^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '');
  if (isPost) headers['content-type'] = 'application/json';
  if (headers.accept?.includes('application/jsonl')) headers.accept = 'application/json';
  delete headers['trpc-accept'];
  const read = incomingMessageToRequest(raw, response, { maxBodySize: BODY_LIMIT });
  return {
    fetchRequest: raw.method === 'HEAD' ? new Request(read, { method: 'GET' }) : read,
    bytes: () => size,
    inputProblem: isPost && !isJson ? new ProblemError('unsupported-media-type') : undefined,
  };
}
