import { RESTJSONErrorCodes } from 'discord-api-types/v10';
import type { FastifyInstance } from 'fastify';
import { parseJson } from '../../json.ts';
import { invalidField, refusal } from '../error-body.ts';

/**
 * Parses JSON bodies, and no others. An empty body is none.
 *
 * @see https://discord.com/developers/docs/reference#http-api
 */
export function acceptJson(api: FastifyInstance): void {
  api.removeAllContentTypeParsers();
  api.addContentTypeParser('application/json', { parseAs: 'string' }, async (_: unknown, body: string) => {
    return body === '' ? undefined : parsed(body);
  });
  api.addContentTypeParser('*', { parseAs: 'string' }, async (_: unknown, body: string) => {
    if (body === '') return undefined;
    const message = 'Expected "Content-Type" header to be one of {\'application/json\'}.';
    throw invalidField([], 'CONTENT_TYPE_INVALID', message);
  });
}

function parsed(body: string): unknown {
  try {
    return parseJson(body);
  } catch {
    throw refusal(400, RESTJSONErrorCodes.RequestBodyContainsInvalidJSON, 'The request body contains invalid JSON.');
  }
}
