import { readFile } from 'node:fs/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { record } from '../json.ts';
import { badInput, protectPage } from '../protect-page.ts';
import { API_PREFIX } from '../rest/path.ts';
import { listPeople } from '../world/accounts.ts';
import type { User } from '../world/entities.ts';
import type { World } from '../world/world.ts';
import { type AuthorizationRequest, queryOf, readAuthorizationRequest } from './authorization-request.ts';
import { botInvitation, isBotInvitation, sendInvitationPage } from './bot-invitation.ts';
import { handleAuthorizeErrors, RedirectedRefusal, responseLocation } from './redirect.ts';
import { issuerOf, serverMetadata } from './server-metadata.ts';
import { lastPersonOf, personIn, rememberPerson } from './session-cookie.ts';

export const AUTHORIZE_PATH = '/oauth2/authorize';

/** The package's folder is two levels up, from src and from dist. */
const PAGE = new URL('../../page/authorize.html', import.meta.url);

/**
 * Registers the page where users grant an application access to their account, and the metadata of the authorization
 * server. Faults, rate limits and the call log do not apply to them.
 *
 * - `GET /oauth2/authorize` is the page, or redirects with `prompt=none`.
 * - `GET /oauth2/authorize/request` is what the page shows, with the query of the page.
 * - `POST /oauth2/authorize` grants or denies, and returns the location of the redirect, as Discord does.
 *
 * With the scope `bot` alone, it is the page that adds a bot to a guild.
 *
 * @see https://discord.com/developers/docs/topics/oauth2#authorization-code-grant
 */
export function authorize(app: FastifyInstance, world: World): void {
  serverMetadata(app);
  // Discord redirects the address below the API, too.
  app.get(`${API_PREFIX}${AUTHORIZE_PATH}`, async ({ url }, reply) => reply.redirect(AUTHORIZE_PATH + queryOf(url)));
  app.register(
    async (scope) => {
      protectPage(scope);
      handleAuthorizeErrors(scope);
      routes(scope, world);
    },
    { prefix: AUTHORIZE_PATH },
  );
}

function routes(app: FastifyInstance, world: World): void {
  const requestOf = (request: FastifyRequest) => {
    return readAuthorizationRequest(new URLSearchParams(queryOf(request.url)), world, issuerOf(request));
  };

  botInvitation(app, world, AUTHORIZE_PATH);

  app.get('', async (request, reply) => {
    const query = new URLSearchParams(queryOf(request.url));
    if (isBotInvitation(query)) return sendInvitationPage(query, world, reply);
    const wanted = requestOf(request);
    const person = lastPersonOf(request, world);
    if (person && wanted.isSilent && world.consents.covers(consentOf(wanted, person))) {
      return reply.redirect(grant(world, wanted, person));
    }
    return reply.type('text/html; charset=utf-8').send(await readFile(PAGE));
  });

  app.get('/request', async (request) => {
    const { application, scopes, redirect } = requestOf(request);
    return {
      application: { id: application.id, name: application.name },
      scopes,
      redirectUri: redirect.redirectUri,
      people: listPeople(world),
      personId: lastPersonOf(request, world)?.id ?? null,
    };
  });

  app.post('', async (request, reply) => {
    const wanted = requestOf(request);
    const person = personIn(request.body, world);
    const { authorize: isGranted } = record(request.body);
    if (typeof isGranted !== 'boolean') throw badInput('authorize', 'a boolean', isGranted);
    rememberPerson(reply, person, AUTHORIZE_PATH);
    if (isGranted) return { location: grant(world, wanted, person) };
    const denied = 'The resource owner or authorization server denied the request';
    throw new RedirectedRefusal(wanted.redirect, 'access_denied', denied);
  });
}

function grant(world: World, request: AuthorizationRequest, person: User): string {
  const { redirect, codeChallenge } = request;
  const code = world.grant(consentOf(request, person), { ...redirect, codeChallenge });
  return responseLocation(redirect, { code });
}

function consentOf({ application, scopes }: AuthorizationRequest, person: User) {
  return { applicationId: application.id, userId: person.id, scopes };
}
