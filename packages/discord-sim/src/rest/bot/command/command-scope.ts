import type { Snowflake } from 'discord-api-types/v10';
import type { FastifyRequest } from 'fastify';
import type { World } from '../../../world/world.ts';
import { missingAccess } from '../../error-body.ts';
import { joinedGuild } from '../access.ts';
import { requireBot } from '../bot-authorization.ts';

/** The paths of an application's commands, global and of one guild. */
export const COMMAND_PATHS = [
  '/applications/:applicationId/commands',
  '/applications/:applicationId/guilds/:guildId/commands',
] as const;

/** The parameters of those paths. */
export interface CommandParams {
  readonly applicationId: Snowflake;
  readonly guildId?: Snowflake;
}

/** Whose commands a call is about. */
export interface CommandScope {
  readonly applicationId: Snowflake;
  /** `null`: the commands of all guilds. */
  readonly guildId: Snowflake | null;
}

/** @throws {RestRefusal} 403 (50001) for another application or a guild without the bot, 404 (10004) for no guild */
export function commandScope(world: World, request: FastifyRequest<{ Params: CommandParams }>): CommandScope {
  const bot = requireBot(request, world);
  const { applicationId, guildId = null } = request.params;
  if (applicationId !== bot.applicationId) throw missingAccess();
  if (guildId !== null) joinedGuild(world, bot, guildId);
  return { applicationId, guildId };
}
