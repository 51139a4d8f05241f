import type { FastifyInstance, FastifyRequest } from 'fastify';
import { OAuth2Refusal } from './oauth2-refusal.ts';

/** Parses urlencoded forms, and no other bodies. */
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
 * @throws {OAuth2Refusal} `invalid_request` for any other media type
 * @see https://discord.com/developers/docs/topics/oauth2#shared-resources-oauth2-urls
 */
export function formOf(request: FastifyRequest): URLSearchParams {
  if (request.body instanceof URLSearchParams) return request.body;
  throw new OAuth2Refusal('invalid_request', 'Content-Type must be application/x-www-form-urlencoded.');
}

/** @throws {OAuth2Refusal} `invalid_request` when the parameter is missing or empty */
export function requiredParameter(form: URLSearchParams, name: string): string {
  const value = form.get(name);
  if (!value) throw new OAuth2Refusal('invalid_request', `Missing "${name}" in request.`);
  return value;
}
