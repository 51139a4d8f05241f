import type { FastifyRequest } from 'fastify';
import type { Application } from '../../world/entities.ts';
import type { World } from '../../world/world.ts';
import { oauth2Refusal } from './form.ts';

const BASIC = /^Basic +([A-Za-z0-9+/=]+)$/i;

/**
 * Returns the application that sends the request, by HTTP Basic or else by `client_id` and `client_secret` in the form.
 *
 * @throws {RestRefusal} `invalid_client`
 * @see https://discord.com/developers/docs/topics/oauth2#authorization-code-grant
 */
export function authenticateClient(request: FastifyRequest, form: URLSearchParams, world: World): Application {
  const { authorization } = request.headers;
  const credentials = authorization === undefined ? fromForm(form) : fromBasic(authorization);
  const application = credentials && world.findApplication(credentials.id);
  if (!application || application.clientSecret !== credentials.secret) throw oauth2Refusal('invalid_client');
  return application;
}

/**
 * Reads the credentials of Basic. Both parts are form-urlencoded inside of it:
 * https://www.rfc-editor.org/rfc/rfc6749#section-2.3.1
 */
function fromBasic(header: string) {
  const encoded = BASIC.exec(header)?.[1];
  if (encoded === undefined) return null;
  const [id = '', ...secret] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  try {
    return { id: formDecoded(id), secret: formDecoded(secret.join(':')) };
  } catch {
    return null;
  }
}

function formDecoded(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '));
}

function fromForm(form: URLSearchParams) {
  return { id: form.get('client_id') ?? '', secret: form.get('client_secret') ?? '' };
}
