import {
  ApplicationFlags,
  GatewayIntentBits,
  type RESTGetAPIGatewayBotResult,
  type RESTGetAPIGatewayResult,
  type RESTGetCurrentApplicationResult,
} from 'discord-api-types/v10';
import type { FastifyInstance } from 'fastify';
import { type GatewayOptions, gatewayUrl } from '../gateway/gateway.ts';
import { applicationObject, userObject } from '../objects/guild-objects.ts';
import type { Application, User } from '../world/entities.ts';
import type { World } from '../world/world.ts';
import { requireBot } from './access.ts';

/** @see https://discord.com/developers/docs/resources/application#get-current-application */
export function currentApplication(api: FastifyInstance, world: World): void {
  api.get('/applications/@me', async (request) => {
    const { applicationId, userId, privilegedIntents } = requireBot(request, world);
    const flags = intentFlags(privilegedIntents);
    const application = world.application(applicationId);
    return {
      ...applicationObject(application),
      summary: '',
      team: null,
      bot: userObject(world.user(userId)),
      owner: userObject(ownerOf(world, application)),
      redirect_uris: [...application.redirectUris],
      interactions_endpoint_url: null,
      role_connections_verification_url: null,
      event_webhooks_url: null,
      approximate_guild_count: world.membershipsOf(userId).length,
      approximate_user_install_count: 0,
      approximate_user_authorization_count: 0,
      explicit_content_filter: 0,
      eligible_oauth2_scopes: [],
      integration_types_config: { 0: {} },
      flags,
      flags_new: String(flags),
      ...(application.portal as Partial<RESTGetCurrentApplicationResult>),
    } satisfies RESTGetCurrentApplicationResult & Record<'explicit_content_filter' | 'eligible_oauth2_scopes', unknown>;
  });
}

/** Returns the flags of privileged intents of an application in fewer than 100 guilds. */
function intentFlags(intents: number): ApplicationFlags {
  const flags = [
    [GatewayIntentBits.GuildPresences, ApplicationFlags.GatewayPresenceLimited],
    [GatewayIntentBits.GuildMembers, ApplicationFlags.GatewayGuildMembersLimited],
    [GatewayIntentBits.MessageContent, ApplicationFlags.GatewayMessageContentLimited],
  ] as const;
  return flags.reduce<number>((all, [intent, flag]) => ((intents & intent) === 0 ? all : all | flag), 0);
}

function ownerOf(world: World, { id, ownerId }: Application): User {
  return ownerId === null
    ? { id, username: `team${id}`, globalName: null, avatar: null, bot: false }
    : world.user(ownerId);
}

/**
 * Registers `GET /gateway` and `GET /gateway/bot`. Session starts are not counted, so `remaining` does not change.
 *
 * @see https://discord.com/developers/docs/events/gateway#get-gateway-bot
 */
export function gatewayAddress(api: FastifyInstance, world: World, options: GatewayOptions): void {
  api.get('/gateway', async ({ raw }) => ({ url: gatewayUrl(raw) }) satisfies RESTGetAPIGatewayResult);

  api.get('/gateway/bot', async (request) => {
    requireBot(request, world);
    const { shards = 1, maxConcurrency = 16 } = options;
    const starts = { total: 1_000, remaining: 1_000, reset_after: 86_400_000, max_concurrency: maxConcurrency };
    return { url: gatewayUrl(request.raw), shards, session_start_limit: starts } satisfies RESTGetAPIGatewayBotResult;
  });
}
