import { OAuth2Scopes, PermissionFlagsBits, type Snowflake } from 'discord-api-types/v10';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { record } from '../json.ts';
import { badInput, PageRefusal, protectPage, sendPage } from '../local-access.ts';
import { API_PREFIX } from '../rest/path.ts';
import { listPeople } from '../world/accounts.ts';
import type { Application, Bot, Guild, User } from '../world/entities.ts';
import { ALL_PERMISSIONS, has } from '../world/permissions.ts';
import type { World } from '../world/world.ts';
import {
  type AuthorizationRequest,
  applicationOf,
  handleAuthorizeErrors,
  lastPersonOf,
  personIn,
  queryOf,
  RedirectedRefusal,
  readAuthorizationRequest,
  rememberPerson,
  responseLocation,
} from './authorization-request.ts';

export const AUTHORIZE_PATH = '/oauth2/authorize';

/**
 * Registers the page where users grant an application access to their account, and the metadata of the authorization
 * server. Faults, rate limits and the call log do not apply to them.
 *
 * - `GET /oauth2/authorize` is the page, or redirects with `prompt=none`.
 * - `GET /oauth2/authorize/request` returns the content of the page, with the query of the page.
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
    if (isBotInvitation(query)) {
      readInvitation(query, world);
      return sendPage(reply, 'invite.html');
    }
    const wanted = requestOf(request);
    const person = lastPersonOf(request, world);
    if (person && wanted.isSilent && world.consents.covers(consentOf(wanted, person))) {
      return reply.redirect(grant(world, wanted, person));
    }
    return sendPage(reply, 'authorize.html');
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

interface InvitationRequest {
  readonly application: Application;
  readonly bot: Bot;
  readonly permissions: bigint;
  readonly guildId: Snowflake | null;
  readonly isChoice: boolean;
}

/** Returns true if the query requests the page that adds a bot to a guild, without a grant for the application. */
function isBotInvitation(query: URLSearchParams): boolean {
  const scopes = (query.get('scope') ?? '').split(' ');
  return scopes.includes(OAuth2Scopes.Bot) && !query.has('response_type') && !query.has('redirect_uri');
}

/**
 * Registers the routes for the script of that page, below the authorization page.
 *
 * - `GET /invitation` returns the content of the page, with the query of the page.
 * - `POST /invitation` adds the bot to a guild, for a user who has Manage Guild there.
 *
 * @see https://discord.com/developers/docs/topics/oauth2#bot-authorization-flow
 */
function botInvitation(app: FastifyInstance, world: World, path: string): void {
  const invitationOf = ({ url }: FastifyRequest) => readInvitation(new URLSearchParams(queryOf(url)), world);

  app.get('/invitation', async (request) => {
    const invitation = invitationOf(request);
    const { application, permissions, guildId, isChoice } = invitation;
    return {
      application: { id: application.id, name: application.name },
      permissions: Object.entries(PermissionFlagsBits).flatMap(([name, bit]) => (has(permissions, bit) ? [name] : [])),
      guildId,
      isChoice,
      people: listPeople(world).map((person) => {
        return { ...person, guilds: guildsFor(world, invitation, person).map(({ id, name }) => ({ id, name })) };
      }),
      personId: lastPersonOf(request, world)?.id ?? null,
    };
  });

  app.post('/invitation', async (request, reply) => {
    const invitation = invitationOf(request);
    const person = personIn(request.body, world);
    const { guildId } = record(request.body);
    const guild = guildsFor(world, invitation, person).find(({ id }) => id === guildId);
    if (!guild) throw new PageRefusal(403, 'guildId: expected a guild in which the user has Manage Guild');
    rememberPerson(reply, person, path);
    const { application, permissions } = invitation;
    world.addBotToGuild(guild.id, { applicationId: application.id, permissions });
    return { guild: { id: guild.id, name: guild.name } };
  });
}

/** @throws {PageRefusal} for an unknown application, one without a bot, and malformed parameters */
function readInvitation(query: URLSearchParams, world: World): InvitationRequest {
  const application = applicationOf(query, world);
  const bot = world.bots.all().find(({ applicationId }) => applicationId === application.id);
  if (!bot) throw new PageRefusal(400, `Application ${application.id} has no bot`);
  const permissions = query.get('permissions') || '0';
  if (!/^\d{1,20}$/.test(permissions)) {
    throw badInput('permissions', 'a bit set in decimal digits', permissions);
  }
  const guildId = query.get('guild_id') || null;
  const isChoice = guildId === null || query.get('disable_guild_select') !== 'true';
  return { application, bot, permissions: BigInt(permissions) & ALL_PERMISSIONS, guildId, isChoice };
}

/**
 * Returns the guilds to which a user may add the bot: those that the user manages; for an invitation to one guild, that
 * guild.
 */
function guildsFor(world: World, { guildId, isChoice }: InvitationRequest, { id }: Pick<User, 'id'>): Guild[] {
  const { ManageGuild, Administrator } = PermissionFlagsBits;
  const managed = world
    .membershipsOf(id)
    .filter(({ permissions }) => has(permissions, ManageGuild) || has(permissions, Administrator));
  return managed.flatMap(({ guild }) => (isChoice || guild.id === guildId ? [guild] : []));
}

/** Returns the URL of this server with the host name used by the client: the issuer of its authorization responses. */
function issuerOf({ protocol, host }: Pick<FastifyRequest, 'protocol' | 'host'>): string {
  return `${protocol}://${host}`;
}

/**
 * @see https://www.rfc-editor.org/rfc/rfc8414
 * @see https://discord.com/.well-known/oauth-authorization-server
 */
function serverMetadata(app: FastifyInstance): void {
  app.get('/.well-known/oauth-authorization-server', async (request) => {
    const issuer = issuerOf(request);
    const clientAuthentication = ['client_secret_basic', 'client_secret_post'];
    return {
      issuer,
      authorization_endpoint: `${issuer}/api/oauth2/authorize`,
      token_endpoint: `${issuer}/api/oauth2/token`,
      revocation_endpoint: `${issuer}/api/oauth2/token/revoke`,
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials'],
      token_endpoint_auth_methods_supported: clientAuthentication,
      revocation_endpoint_auth_methods_supported: clientAuthentication,
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
    };
  });
}
