import type { FastifyInstance, FastifyRequest } from 'fastify';
import { RestRefusal } from '../error-body.ts';

export function acceptForms(api: FastifyInstance): void {
  api.removeAllContentTypeParsers();
  api.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (_: unknown, body: string) => {
      return new URLSearchParams(body);
    },
  );
  // The body is ignored, so that the routes respond with an OAuth2 error instead of 415.
  api.addContentTypeParser('*', async () => null);
}

/**
 * Returns the form in the body of the request.
 *
 * @throws {RestRefusal} `invalid_request` for any other media type
 * @see https://discord.com/developers/docs/topics/oauth2#shared-resources-oauth2-urls
 */
export function formOf(request: FastifyRequest): URLSearchParams {
  if (request.body instanceof URLSearchParams) return request.body;
  throw oauth2Refusal('invalid_request', 'Content-Type must be application/x-www-form-urlencoded.');
}

/** @throws {RestRefusal} `invalid_request` when the parameter is missing or empty */
export function requiredParameter(form: URLSearchParams, name: string): string {
  const value = form.get(name);
  if (!value) throw oauth2Refusal('invalid_request', `Missing "${name}" in request.`);
  return value;
}

/** The errors of the token endpoint: https://www.rfc-editor.org/rfc/rfc6749#section-5.2 */
type OAuth2ErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unsupported_grant_type'
  | 'invalid_scope';

/** An error of the token endpoint. Discord has descriptions for all errors but `invalid_client`. */
export function oauth2Refusal(error: OAuth2ErrorCode, description?: string): RestRefusal {
  const body = { error, ...(description !== undefined && { error_description: description }) };
  return new RestRefusal(error === 'invalid_client' ? 401 : 400, body);
}
