import type { IncomingMessage, ServerResponse } from 'node:http';
import { ProblemError } from '@guild-settings/contract';
import { incomingMessageToRequest } from '@trpc/server/adapters/node-http';
import { readJsonText } from '../rest/request-body.ts';

/** A tRPC request as tRPC reads it. */
export interface TrpcRequest {
  readonly fetchRequest: Request;
  /** The body is of no type that is taken here. */
  readonly inputProblem: ProblemError | undefined;
}

/**
 * The request as tRPC reads it, with four differences. HEAD is answered as GET is, where tRPC would say 204 to anybody.
 * Another media type than JSON is refused after the credentials, where tRPC would refuse it before. Streamed batches are
 * not spoken: their headers are sent before there is anything to say in them. The body is read when an operation wants
 * its input, which is after the credentials, where tRPC would buffer it at once.
 * @param maxBytes bytes that the body may have; asked for when it is read
 */
export function readTrpcRequest(
  raw: IncomingMessage,
  response: ServerResponse,
  maxBytes: () => Promise<number>,
): TrpcRequest {
  const isPost = raw.method === 'POST';
  const { headers } = raw;
  const isJson = /^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '');
  if (isPost) headers['content-type'] = 'application/json';
  if (headers.accept?.includes('application/jsonl')) headers.accept = 'application/json';
  delete headers['trpc-accept'];
  // With a body of its own, tRPC leaves the stream alone.
  if (isPost) Object.assign(raw, { body: '' });
  const read = incomingMessageToRequest(raw, response, { maxBodySize: null });
  if (isPost) Object.assign(read, { text: async () => readJsonText(raw, await maxBytes()) });
  return {
    fetchRequest: raw.method === 'HEAD' ? new Request(read, { method: 'GET' }) : read,
    inputProblem: isPost && !isJson ? new ProblemError('unsupported-media-type') : undefined,
  };
}
