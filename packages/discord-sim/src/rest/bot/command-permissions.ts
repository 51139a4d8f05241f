import {
  type APIApplicationCommandPermission,
  type APIGuildApplicationCommandPermissions,
  ApplicationCommandPermissionType,
  OAuth2Scopes,
  PermissionFlagsBits,
  type RESTGetAPIApplicationCommandPermissionsResult,
  type RESTGetAPIGuildApplicationCommandsPermissionsResult,
  RESTJSONErrorCodes,
  type RESTPutAPIApplicationCommandPermissionsResult,
  type Snowflake,
} from 'discord-api-types/v10';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { MAX_OVERWRITES } from '../../world/bots.ts';
import { isCommandFor } from '../../world/command-access.ts';
import { has } from '../../world/permissions.ts';
import type { World } from '../../world/world.ts';
import { botOf, requireToken } from '../authorization.ts';
import { notForBots, refusal } from '../error-body.ts';
import { choice, flag, id, list } from '../form/fields.ts';
import { readForm } from '../form/read-form.ts';
import { missingPermissions } from './access.ts';
import { commandScope } from './command/command-scope.ts';

const PATH = '/applications/:applicationId/guilds/:guildId/commands';

const { ApplicationsCommandsUpdate, ApplicationCommandsPermissionsUpdate } = OAuth2Scopes;
const { Channel, Role, User } = ApplicationCommandPermissionType;

const form = z.object({
  permissions: list(z.object({ id, type: choice([Role, User, Channel]), permission: flag }), { max: MAX_OVERWRITES }),
});

interface OfGuild {
  Params: { readonly applicationId: Snowflake; readonly guildId: Snowflake };
}

interface OfCommand {
  Params: OfGuild['Params'] & { readonly commandId: Snowflake };
}

/**
 * Registers the routes for who may use the commands of an application in a guild. In place of a command's id, that of the
 * application is for all of its commands. Only a user's token sets it.
 *
 * @see https://docs.discord.com/developers/interactions/application-commands#permissions
 */
export function commandPermissions(api: FastifyInstance, world: World): void {
  api.get<OfGuild>(`${PATH}/permissions`, async (request) => {
    const { applicationId } = readScope(world, request);
    const { guildId } = request.params;
    return world.commands.permissions.list(
      guildId,
      applicationId,
    ) satisfies RESTGetAPIGuildApplicationCommandsPermissionsResult;
  });

  api.get<OfCommand>(`${PATH}/:commandId/permissions`, async (request) => {
    const { applicationId } = readScope(world, request);
    const { guildId, commandId } = request.params;
    const found = world.commands.permissions.find(guildId, commandId);
    if (found?.application_id === applicationId) return found satisfies RESTGetAPIApplicationCommandPermissionsResult;
    const code = RESTJSONErrorCodes.UnknownApplicationCommandPermissions;
    throw refusal(404, code, 'Unknown application command permissions');
  });

  api.put<OfCommand>(`${PATH}/:commandId/permissions`, async (request) => {
    if (botOf(request, world)) throw notForBots();
    const { userId } = requireToken(request, world).authorization;
    const { applicationId } = commandScope(world, request, [ApplicationCommandsPermissionsUpdate]);
    const { permissions } = readForm(form, request.body ?? {});
    return edit(world, { ...request.params, applicationId, userId, permissions });
  });
}

function readScope(world: World, request: FastifyRequest<OfGuild>) {
  return commandScope(world, request, [ApplicationsCommandsUpdate, ApplicationCommandsPermissionsUpdate]);
}

interface Edit {
  readonly applicationId: Snowflake;
  readonly guildId: Snowflake;
  readonly commandId: Snowflake;
  readonly userId: Snowflake | null;
  readonly permissions: readonly APIApplicationCommandPermission[];
}

/**
 * @throws {RestRefusal} 404 (10063) for an unknown command, 403 (50013) unless the user may manage the guild and its roles,
 *   and use the command
 */
function edit(
  world: World,
  { applicationId, guildId, commandId, userId, permissions }: Edit,
): APIGuildApplicationCommandPermissions {
  const { ManageGuild, ManageRoles } = PermissionFlagsBits;
  const member = userId === null ? null : world.guilds.findMember(guildId, userId);
  if (!member || !has(world.guilds.permissionsOf(guildId, member), ManageGuild | ManageRoles))
    throw missingPermissions();
  const commands = [...world.commandsOf(applicationId, guildId), ...world.commandsOf(applicationId)];
  const command = commands.find((one) => one.id === commandId);
  if (!command && commandId !== applicationId) {
    throw refusal(404, RESTJSONErrorCodes.UnknownApplicationCommand, 'Unknown application command');
  }
  if (command && !isCommandFor(world, command, guildId, member)) throw missingPermissions();
  const set = world.putCommandPermissions(guildId, { applicationId, id: commandId }, permissions);
  return set satisfies RESTPutAPIApplicationCommandPermissionsResult;
}
