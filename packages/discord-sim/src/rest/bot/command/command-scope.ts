import { OAuth2Scopes, type Snowflake } from 'discord-api-types/v10';
import type { FastifyRequest } from 'fastify';
import type { CommandScope } from '../../../world/bots.ts';
import type { World } from '../../../world/world.ts';
import { botOf, requireToken } from '../../authorization.ts';
import { missingAccess } from '../../error-body.ts';
import { checkPathIds } from '../../form/read-form.ts';
import { joinedGuild } from '../access.ts';

export const COMMAND_PATHS = [
  '/applications/:applicationId/commands',
  '/applications/:applicationId/guilds/:guildId/commands',
] as const;

export interface CommandParams {
  readonly applicationId: Snowflake;
  readonly guildId?: Snowflake;
}

/**
 * Returns whose commands a call is about, by the token of the application's bot, or a bearer token with one of some scopes.
 *
 * @throws {RestRefusal} 401 without a token; 403 (50001) without such a scope, for another
 *   application or a guild without the bot; 404 (10004) for no guild
 * @see https://discord.com/developers/docs/interactions/application-commands#authorizing-your-application
 */
export function commandScope(
  world: World,
  request: FastifyRequest<{ Params: CommandParams }>,
  scopes: readonly OAuth2Scopes[] = [OAuth2Scopes.ApplicationsCommandsUpdate],
): CommandScope {
  const callerId = botOf(request, world)?.applicationId ?? applicationOf(request, world, scopes);
  checkPathIds(request);
  const { applicationId, guildId = null } = request.params;
  if (applicationId !== callerId) throw missingAccess();
  if (guildId !== null) {
    const bot = world.bots.all().find((one) => one.applicationId === applicationId);
    if (!bot) throw missingAccess();
    joinedGuild(world, bot, guildId);
  }
  return { applicationId, guildId };
}

function applicationOf(request: FastifyRequest, world: World, wanted: readonly OAuth2Scopes[]): Snowflake {
  const { applicationId, scopes } = requireToken(request, world).authorization;
  if (!wanted.some((scope) => scopes.includes(scope))) throw missingAccess();
  return applicationId;
}
