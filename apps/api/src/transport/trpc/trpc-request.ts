import type { IncomingMessage, ServerResponse } from 'node:http';
import { ProblemError } from '@guild-settings/contract';
import { incomingMessageToRequest } from '@trpc/server/adapters/node-http';
import { readJsonText } from '../rest/json-body.ts';

/**
 * Converts a Node request for tRPC, with four differences from tRPC's own conversion. HEAD is converted to GET, because tRPC
 * responds 204 to every HEAD. A media type other than JSON is refused when the input is read, after the credentials, not
 * before them. Streamed batches are not offered: their headers are sent before the results are known. The body is read when
 * an operation reads its input, not at once.
 * @param maxBytes resolves with the maximum size of the body, in bytes; called when the body is read
 */
export function readTrpcRequest(
  raw: IncomingMessage,
  response: ServerResponse,
  maxBytes: () => Promise<number>,
): Request {
  const isPost = raw.method === 'POST';
  const { headers } = raw;
  const isJson = /^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '');
  const text = async () => {
    if (!isJson) throw new ProblemError('unsupported-media-type');
    return readJsonText(raw, { maxBytes: await maxBytes() });
  };
  if (isPost) headers['content-type'] = 'application/json';
  if (headers.accept?.includes('application/jsonl')) headers.accept = 'application/json';
  delete headers['trpc-accept'];
  // tRPC does not read the stream of a request that has a body already.
  if (isPost) Object.assign(raw, { body: '' });
  const request = incomingMessageToRequest(raw, response, { maxBodySize: null });
  if (isPost) Object.assign(request, { text });
  return raw.method === 'HEAD' ? new Request(request, { method: 'GET' }) : request;
}
