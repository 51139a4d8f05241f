import {
  OAuth2Scopes,
  type RESTGetAPIOAuth2CurrentAuthorizationResult,
  type RESTPostOAuth2AccessTokenResult,
  type RESTPostOAuth2ClientCredentialsResult,
} from 'discord-api-types/v10';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { applicationObject, userObject } from '../objects/guild-objects.ts';
import type { Application } from '../world/entities.ts';
import {
  ACCESS_TOKEN_SECONDS,
  type IssuedToken,
  type IssuedUserToken,
  isClientCredentialsOnly,
  isCodeVerifier,
  readScopes,
} from '../world/tokens.ts';
import type { World } from '../world/world.ts';
import { requireToken } from './access.ts';
import { RestRefusal } from './error-body.ts';

/** @see https://discord.com/developers/docs/topics/oauth2#shared-resources-oauth2-urls */
export function token(api: FastifyInstance, world: World): void {
  api.post('/oauth2/token', async (request, reply) => {
    // https://www.rfc-editor.org/rfc/rfc6749#section-5.1
    reply.header('cache-control', 'no-store');
    const form = formOf(request);
    const application = authenticateClient(request, form, world);
    const grantType = form.get('grant_type');
    switch (grantType) {
      case 'authorization_code':
        return authorizationCodeGrant(world, application, form);
      case 'refresh_token':
        return refreshTokenGrant(world, application, form);
      case 'client_credentials':
        return clientCredentialsGrant(world, application, form);
      default:
        throw oauth2Refusal('unsupported_grant_type', `Grant type ${grantType ?? 'None'} is not supported`);
    }
  });
}

/** @see https://discord.com/developers/docs/topics/oauth2#authorization-code-grant */
function authorizationCodeGrant(world: World, { id: applicationId }: Application, form: URLSearchParams) {
  const code = requiredParameter(form, 'code');
  const codeVerifier = codeVerifierOf(form);
  if (parseScopes(form.get('scope') ?? '').some(isClientCredentialsOnly)) throw invalidScope();
  const outcome = world.codes.redeem({ code, applicationId, redirectUri: form.get('redirect_uri'), codeVerifier });
  if (outcome === 'code_verifier' && codeVerifier === null) {
    throw oauth2Refusal('invalid_request', 'Missing "code_verifier"');
  }
  if (typeof outcome === 'string') throw oauth2Refusal('invalid_grant', `Invalid "${outcome}" in request.`);
  if (outcome.scopes.some(isClientCredentialsOnly)) throw invalidScope();
  return userTokenResponse(world.tokens.issueRenewable(outcome), outcome.scopes);
}

/** https://github.com/discord/discord-api-docs/issues/5254 documents the error for a verifier that is too short. */
function codeVerifierOf(form: URLSearchParams): string | null {
  const verifier = form.get('code_verifier') || null;
  if (verifier === null || isCodeVerifier(verifier)) return verifier;
  throw oauth2Refusal('invalid_request', 'Invalid "code_verifier"');
}

/** @see https://discord.com/developers/docs/topics/oauth2#authorization-code-grant-refresh-token-exchange-example */
function refreshTokenGrant(world: World, application: Application, form: URLSearchParams) {
  const refreshToken = requiredParameter(form, 'refresh_token');
  const authorization = world.tokens.findRefresh(refreshToken, application.id);
  if (!authorization) throw oauth2Refusal('invalid_grant', 'Invalid "refresh_token" in request.');
  world.tokens.spendRefresh(refreshToken);
  return userTokenResponse(world.tokens.issueRenewable(authorization), authorization.scopes);
}

/** @see https://discord.com/developers/docs/topics/oauth2#client-credentials-grant */
function clientCredentialsGrant(world: World, application: Application, form: URLSearchParams) {
  const scopes = parseScopes(form.get('scope') ?? '');
  if (scopes.length === 0) throw invalidScope();
  const issued = world.issueClientCredentialsToken({ applicationId: application.id, scopes });
  return tokenResponse(issued, scopes) satisfies RESTPostOAuth2ClientCredentialsResult;
}

/** @see https://discord.com/developers/docs/topics/oauth2#authorization-code-grant-access-token-response */
function userTokenResponse(issued: IssuedUserToken, scopes: readonly OAuth2Scopes[]) {
  const response = { ...tokenResponse(issued, scopes), refresh_token: issued.refreshToken };
  return response satisfies RESTPostOAuth2AccessTokenResult;
}

function tokenResponse({ accessToken }: IssuedToken, scopes: readonly OAuth2Scopes[]) {
  const lifetime = { expires_in: ACCESS_TOKEN_SECONDS, scope: scopes.join(' ') };
  return { token_type: 'Bearer', access_token: accessToken, ...lifetime };
}

/** @throws {RestRefusal} `invalid_scope` for an unknown one */
function parseScopes(list: string): OAuth2Scopes[] {
  const scopes = readScopes(list);
  if (!scopes) throw invalidScope();
  return scopes;
}

/** The error for scopes that do not exist or that this grant cannot issue. */
function invalidScope(): RestRefusal {
  return oauth2Refusal('invalid_scope', 'The requested scope is invalid, unknown, or malformed.');
}

/**
 * `POST /oauth2/token/revoke`: revoking a token of an authorization revokes all of its tokens, which signs the user out
 * of this application everywhere. Revoking a standalone token affects only that token. For an unknown token, or one of
 * another application, nothing changes, with the same response (https://www.rfc-editor.org/rfc/rfc7009#section-2.2).
 *
 * @see https://discord.com/developers/docs/topics/oauth2#authorization-code-grant-token-revocation-example
 */
export function revoke(api: FastifyInstance, world: World): void {
  api.post('/oauth2/token/revoke', async (request) => {
    const form = formOf(request);
    const application = authenticateClient(request, form, world);
    const authorization = world.tokens.authorizationOf(requiredParameter(form, 'token'));
    if (authorization?.applicationId === application.id) world.revokeAuthorization(authorization);
    return {};
  });
}

/** @see https://discord.com/developers/docs/topics/oauth2#get-current-authorization-information */
export function currentAuthorization(api: FastifyInstance, world: World): void {
  api.get('/oauth2/@me', async (request) => {
    const { authorization, expiresAt } = requireToken(request, world);
    const { applicationId, userId, scopes } = authorization;
    const identified = userId !== null && scopes.includes(OAuth2Scopes.Identify);
    return {
      application: applicationObject(world.application(applicationId)),
      scopes: [...scopes],
      // ISO 8601 with microseconds and `+00:00`.
      expires: new Date(expiresAt).toISOString().replace('Z', '000+00:00'),
      ...(identified && { user: userObject(world.user(userId)) }),
    } satisfies RESTGetAPIOAuth2CurrentAuthorizationResult;
  });
}

const BASIC = /^Basic +([A-Za-z0-9+/=]+)$/i;

/**
 * Returns the application that sends the request, by HTTP Basic or otherwise by `client_id` and `client_secret` in the
 * form.
 *
 * @throws {RestRefusal} `invalid_client`
 * @see https://discord.com/developers/docs/topics/oauth2#authorization-code-grant
 */
function authenticateClient(request: FastifyRequest, form: URLSearchParams, world: World): Application {
  const { authorization } = request.headers;
  const ofForm = { id: form.get('client_id') ?? '', secret: form.get('client_secret') ?? '' };
  const credentials = authorization === undefined ? ofForm : fromBasic(authorization);
  const application = credentials && world.findApplication(credentials.id);
  if (!application || application.clientSecret !== credentials.secret) throw oauth2Refusal('invalid_client');
  return application;
}

/**
 * Reads the credentials of Basic. Both parts are form-urlencoded: https://www.rfc-editor.org/rfc/rfc6749#section-2.3.1
 */
function fromBasic(header: string) {
  const encoded = BASIC.exec(header)?.[1];
  if (encoded === undefined) return null;
  const [id = '', ...secret] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  try {
    const [decodedId = '', decodedSecret = ''] = [id, secret.join(':')].map((part) =>
      decodeURIComponent(part.replaceAll('+', ' ')),
    );
    return { id: decodedId, secret: decodedSecret };
  } catch {
    return null;
  }
}

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
 * @throws {RestRefusal} `invalid_request` for any other media type
 * @see https://discord.com/developers/docs/topics/oauth2#shared-resources-oauth2-urls
 */
function formOf(request: FastifyRequest): URLSearchParams {
  if (request.body instanceof URLSearchParams) return request.body;
  throw oauth2Refusal('invalid_request', 'Content-Type must be application/x-www-form-urlencoded.');
}

/** @throws {RestRefusal} `invalid_request` when the parameter is missing or empty */
function requiredParameter(form: URLSearchParams, name: string): string {
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

/** An error of the token endpoint. Discord describes all errors except `invalid_client`. */
function oauth2Refusal(error: OAuth2ErrorCode, description?: string): RestRefusal {
  const body = { error, ...(description !== undefined && { error_description: description }) };
  return new RestRefusal(error === 'invalid_client' ? 401 : 400, body);
}
