import { OAuth2Scopes } from 'discord-api-types/v10';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { record } from '../json.ts';
import { badInput } from '../local-access.ts';
import { findPerson } from '../world/accounts.ts';
import type { Application, User } from '../world/entities.ts';
import { type CodeBinding, isClientCredentialsOnly, isCodeChallenge, readScopes } from '../world/tokens.ts';
import type { World } from '../world/world.ts';

export interface AuthorizationRequest {
  readonly application: Application;
  readonly scopes: readonly OAuth2Scopes[];
  /** True: the page is skipped for a user who has consented before. */
  readonly isSilent: boolean;
  readonly codeChallenge: string | null;
  readonly redirect: Redirect;
}

const PARAMETERS = ['response_type', 'scope', 'state', 'prompt', 'code_challenge', 'code_challenge_method'];

/** Scopes for which the user selects a guild or a channel, which the page of the simulator does not offer. */
const PLACED: ReadonlySet<OAuth2Scopes> = new Set([OAuth2Scopes.Bot, OAuth2Scopes.WebhookIncoming]);

/**
 * Checks the query of an authorization request. Nothing is sent to a redirect URI that is not registered.
 *
 * @throws {PageRefusal} for an unknown application or redirect URI
 * @throws {RedirectedRefusal} for any other error
 * @see https://discord.com/developers/docs/topics/oauth2#authorization-code-grant
 */
export function readAuthorizationRequest(query: URLSearchParams, world: World, issuer: string): AuthorizationRequest {
  const application = applicationOf(query, world);
  const redirect = { ...redirectUriOf(query, application), state: parameter(query, 'state'), issuer };
  const repeated = PARAMETERS.find((name) => query.getAll(name).length > 1);
  if (repeated) throw new RedirectedRefusal(redirect, 'invalid_request', `Repeated "${repeated}" in request.`);
  const responseType = parameter(query, 'response_type');
  if (responseType === null)
    throw new RedirectedRefusal(redirect, 'invalid_request', 'Missing "response_type" in request.');
  if (responseType !== 'code') {
    throw new RedirectedRefusal(redirect, 'unsupported_response_type', `Expected "code", received "${responseType}".`);
  }
  return {
    application,
    scopes: scopesOf(query, redirect),
    isSilent: parameter(query, 'prompt') === 'none',
    codeChallenge: requestedChallenge(query, redirect),
    redirect,
  };
}

export function applicationOf(query: URLSearchParams, world: World): Application {
  const [id, ...more] = query.getAll('client_id');
  const application = id !== undefined && more.length === 0 ? world.findApplication(id) : null;
  if (application) return application;
  throw badInput('client_id', 'the id of an application', id ?? null);
}

/** Discord uses the first registered URI if the request has none. */
function redirectUriOf(query: URLSearchParams, { redirectUris }: Application) {
  const [first] = redirectUris;
  const [given, ...more] = query.getAll('redirect_uri');
  if (given === undefined && first !== undefined) return { redirectUri: first, isRedirectUriImplied: true };
  if (given !== undefined && more.length === 0 && redirectUris.includes(given)) {
    return { redirectUri: given, isRedirectUriImplied: false };
  }
  const expected = first === undefined ? 'one that is registered, but there is none' : redirectUris.join(' or ');
  throw badInput('Invalid OAuth2 redirect_uri', expected, given ?? null);
}

function scopesOf(query: URLSearchParams, redirect: Redirect): OAuth2Scopes[] {
  const scopes = readScopes(query.get('scope') ?? '') ?? [];
  if (scopes.length === 0 || scopes.some(isClientCredentialsOnly)) {
    throw new RedirectedRefusal(redirect, 'invalid_scope', 'The requested scope is invalid, unknown, or malformed.');
  }
  const placed = scopes.find((scope) => PLACED.has(scope));
  if (placed)
    throw new RedirectedRefusal(redirect, 'invalid_scope', `The simulator does not support the scope ${placed}.`);
  return scopes;
}

/** Discord supports only the method S256: https://github.com/discord/discord-api-docs/pull/7046 */
function requestedChallenge(query: URLSearchParams, redirect: Redirect): string | null {
  const challenge = parameter(query, 'code_challenge');
  const method = parameter(query, 'code_challenge_method');
  if (challenge === null && method === null) return null;
  const refusal = (text: string) => new RedirectedRefusal(redirect, 'invalid_request', text);
  if (challenge === null) throw refusal('Missing "code_challenge"');
  if (method !== 'S256') throw refusal('Unsupported "code_challenge_method"');
  if (!isCodeChallenge(challenge)) throw refusal('Invalid "code_challenge"');
  return challenge;
}

export function queryOf(url: string): string {
  const start = url.indexOf('?');
  return start === -1 ? '' : url.slice(start);
}

/** A parameter without a value counts as omitted: https://www.rfc-editor.org/rfc/rfc6749#section-3.1 */
function parameter(query: URLSearchParams, name: string): string | null {
  return query.get(name) || null;
}

interface Redirect extends Pick<CodeBinding, 'redirectUri' | 'isRedirectUriImplied'> {
  /** The client's own value, returned unchanged; `null` when it sent none. */
  readonly state: string | null;
  readonly issuer: string;
}

/**
 * Returns the redirect URI with the parameters of a response added to its query.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6749#section-4.1.2
 * @see https://www.rfc-editor.org/rfc/rfc9207#section-2
 */
export function responseLocation(redirect: Redirect, parameters: Readonly<Record<string, string>>): string {
  const { redirectUri, state, issuer } = redirect;
  const query = new URLSearchParams({ ...parameters, ...(state !== null && { state }), iss: issuer });
  // The text of the registered URI stays as it is: parsing it would normalise it.
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${query}`;
}

/** The errors of an authorization response: https://www.rfc-editor.org/rfc/rfc6749#section-4.1.2.1 */
type AuthorizationErrorCode = 'invalid_request' | 'access_denied' | 'unsupported_response_type' | 'invalid_scope';

export class RedirectedRefusal extends Error {
  override readonly name = 'RedirectedRefusal';
  readonly location: string;

  constructor(redirect: Redirect, error: AuthorizationErrorCode, description: string) {
    super(description);
    this.location = responseLocation(redirect, { error, error_description: description });
  }
}

/** Redirects errors of the application, and sends other errors as text, or as `{ "message": … }` to the page's script. */
export function handleAuthorizeErrors(app: FastifyInstance): void {
  app.setErrorHandler<Error & { statusCode?: number }>((error, { method }, reply) => {
    if (error instanceof RedirectedRefusal) {
      return method === 'POST' ? reply.send({ location: error.location }) : reply.redirect(error.location);
    }
    reply.code(error.statusCode ?? 500);
    return method === 'POST'
      ? reply.send({ message: error.message })
      : reply.type('text/plain; charset=utf-8').send(error.message);
  });
}

const COOKIE = /(?:^|; *)discord-sim-person=([0-9]{17,20})(?:;|$)/;

/** Returns the user that this browser chose last; `null` for none, or for a user who no longer exists. */
export function lastPersonOf({ headers }: FastifyRequest, world: World): User | null {
  const id = COOKIE.exec(headers.cookie ?? '')?.[1];
  return id === undefined ? null : findPerson(world, id);
}

/** Makes the browser remember the chosen user until it is closed. A page of another site cannot send the cookie in a frame. */
export function rememberPerson(reply: FastifyReply, { id }: User, path: string): void {
  reply.header('set-cookie', `discord-sim-person=${id}; Path=${path}; HttpOnly; SameSite=Lax`);
}

/** @throws {PageRefusal} 400 unless `personId` is the id of a user other than a bot */
export function personIn(body: unknown, world: World): User {
  const { personId } = record(body);
  const person = typeof personId === 'string' ? findPerson(world, personId) : null;
  if (!person) throw badInput('personId', 'the id of a user', personId);
  return person;
}
