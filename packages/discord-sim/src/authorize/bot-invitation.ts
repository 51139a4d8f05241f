import { readFile } from 'node:fs/promises';
import { OAuth2Scopes, PermissionFlagsBits, type Snowflake } from 'discord-api-types/v10';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { record } from '../json.ts';
import { badInput, PageRefusal } from '../protect-page.ts';
import { listPeople } from '../world/accounts.ts';
import type { Application, Bot, Guild, User } from '../world/entities.ts';
import { ALL_PERMISSIONS, has } from '../world/permissions.ts';
import type { World } from '../world/world.ts';
import { applicationOf, queryOf } from './authorization-request.ts';
import { lastPersonOf, personIn, rememberPerson } from './session-cookie.ts';

/** The package's folder is two levels up, from src and from dist. */
const PAGE = new URL('../../page/invite.html', import.meta.url);

interface InvitationRequest {
  readonly application: Application;
  readonly bot: Bot;
  readonly permissions: bigint;
  readonly guildId: Snowflake | null;
  readonly isChoice: boolean;
}

/** Returns whether the query asks for the page that adds a bot to a guild, without a grant for the application. */
export function isBotInvitation(query: URLSearchParams): boolean {
  const scopes = (query.get('scope') ?? '').split(' ');
  return scopes.includes(OAuth2Scopes.Bot) && !query.has('response_type') && !query.has('redirect_uri');
}

export async function sendInvitationPage(query: URLSearchParams, world: World, reply: FastifyReply) {
  readInvitation(query, world);
  return reply.type('text/html; charset=utf-8').send(await readFile(PAGE));
}

/**
 * Registers what the script of that page requests, below the authorization page.
 *
 * - `GET /invitation` is what the page shows, with the query of the page.
 * - `POST /invitation` adds the bot to a guild, for a user who has Manage Guild there.
 *
 * @see https://discord.com/developers/docs/topics/oauth2#bot-authorization-flow
 */
export function botInvitation(app: FastifyInstance, world: World, path: string): void {
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

/** @throws {PageRefusal} for an unknown application, one without a bot, and parameters of another form */
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

/** Returns the guilds to which a user may add the bot: those that the user manages, of an invitation to one guild that one. */
function guildsFor(world: World, { guildId, isChoice }: InvitationRequest, { id }: Pick<User, 'id'>): Guild[] {
  const managed = world.membershipsOf(id).filter(({ permissions }) => mayInvite(permissions));
  return managed.flatMap(({ guild }) => (isChoice || guild.id === guildId ? [guild] : []));
}

function mayInvite(permissions: bigint): boolean {
  return has(permissions, PermissionFlagsBits.ManageGuild) || has(permissions, PermissionFlagsBits.Administrator);
}
