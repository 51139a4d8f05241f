import {
  type APIApplicationCommand,
  ApplicationCommandPermissionType,
  ApplicationIntegrationType,
  OAuth2Scopes,
  PermissionFlagsBits,
  type RESTGetAPIApplicationCommandPermissionsResult,
  type RESTGetAPIApplicationCommandResult,
  type RESTGetAPIApplicationCommandsResult,
  type RESTGetAPIGuildApplicationCommandsPermissionsResult,
  RESTJSONErrorCodes,
  type RESTPatchAPIApplicationCommandResult,
  type RESTPostAPIApplicationCommandsResult,
  type RESTPutAPIApplicationCommandPermissionsResult,
  type RESTPutAPIApplicationCommandsResult,
  type Snowflake,
} from 'discord-api-types/v10';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { record } from '../json.ts';
import { type CommandScope, MAX_OVERWRITES } from '../world/bots.ts';
import { isCommandFor } from '../world/command-access.ts';
import { has } from '../world/permissions.ts';
import type { World } from '../world/world.ts';
import { botOf, joinedGuild, missingPermissions, requireToken } from './access.ts';
import { type CommandForm, readCommand, readCommands, requireRoom } from './command-form.ts';
import { missingAccess, notForBots, refusal } from './error-body.ts';
import { checkPathIds, choice, flag, flagText, id, list, optional, readForm, withoutUndefined } from './form.ts';

interface OneCommand {
  Params: CommandParams & { readonly commandId: Snowflake };
}

const listQuery = z.object({ with_localizations: optional(flagText) });

/** @see https://discord.com/developers/docs/interactions/application-commands#endpoints */
export function commands(api: FastifyInstance, world: World): void {
  for (const path of COMMAND_PATHS) {
    api.get<{ Params: CommandParams }>(path, async (request) => {
      const { applicationId, guildId } = commandScope(world, request);
      const { with_localizations: localised = false } = readForm(listQuery, request.query);
      const listed = world.commands.list(applicationId, guildId);
      return (localised ? [...listed] : listed.map(withoutLocalisations)) satisfies RESTGetAPIApplicationCommandsResult;
    });

    api.put<{ Params: CommandParams }>(path, async (request) => {
      const scope = commandScope(world, request);
      const before = world.commands.list(scope.applicationId, scope.guildId);
      const registered = readCommands(request.body).map((command): APIApplicationCommand => {
        return commandObject(world, scope, command, namesake(before, command)?.id);
      });
      world.commands.replace(scope, registered);
      return registered satisfies RESTPutAPIApplicationCommandsResult;
    });

    api.post<{ Params: CommandParams }>(path, async (request, reply) => {
      const scope = commandScope(world, request);
      const form = readCommand(request.body);
      const listed = world.commands.list(scope.applicationId, scope.guildId);
      const known = namesake(listed, form);
      const others = listed.filter((command) => command !== known);
      requireRoom([...others, form]);
      const created = commandObject(world, scope, form, known?.id);
      world.commands.replace(scope, [...others, created]);
      return reply.code(known ? 200 : 201).send(created satisfies RESTPostAPIApplicationCommandsResult);
    });

    api.get<OneCommand>(`${path}/:commandId`, async (request) => {
      return knownCommand(world, request).command satisfies RESTGetAPIApplicationCommandResult;
    });

    api.patch<OneCommand>(`${path}/:commandId`, async (request) => {
      const { scope, listed, command } = knownCommand(world, request);
      const form = readCommand({ ...command, ...record(request.body), type: command.type });
      const edited = commandObject(world, scope, form, command.id);
      const commands = listed.map((other) => (other === command ? edited : other));
      world.commands.replace(scope, commands);
      return edited satisfies RESTPatchAPIApplicationCommandResult;
    });

    api.delete<OneCommand>(`${path}/:commandId`, async (request, reply) => {
      const { scope, listed, command } = knownCommand(world, request);
      const others = listed.filter((other) => other !== command);
      world.commands.replace(scope, others);
      return reply.code(204).send();
    });
  }
}

function withoutLocalisations(command: APIApplicationCommand): APIApplicationCommand {
  const { name_localizations: _names, description_localizations: _descriptions, ...plain } = command;
  return plain;
}

/** @throws {RestRefusal} 404 (10063) when the application has no such command there */
function knownCommand(world: World, request: FastifyRequest<OneCommand>) {
  const scope = commandScope(world, request);
  const listed = world.commands.list(scope.applicationId, scope.guildId);
  const command = listed.find(({ id }: APIApplicationCommand) => id === request.params.commandId);
  if (!command) throw unknownCommand();
  return { scope, listed, command };
}

function unknownCommand() {
  return refusal(404, RESTJSONErrorCodes.UnknownApplicationCommand, 'Unknown application command');
}

function namesake(commands: readonly APIApplicationCommand[], { type, name }: CommandForm) {
  return commands.find((command) => command.type === type && command.name === name);
}

/** @see https://discord.com/developers/docs/interactions/application-commands#application-command-object */
function commandObject(
  world: World,
  { applicationId, guildId }: CommandScope,
  command: CommandForm,
  id: Snowflake = world.ids.next(),
): APIApplicationCommand {
  const { default_member_permissions: permissions = null, description = '' } = command;
  const { contexts = null, integration_types: integrations = [ApplicationIntegrationType.GuildInstall] } = command;
  const object = {
    ...command,
    description,
    id,
    application_id: applicationId,
    ...(guildId !== null && { guild_id: guildId }),
    ...(guildId === null && { dm_permission: command.dm_permission ?? true }),
    contexts,
    integration_types: integrations,
    nsfw: command.nsfw ?? false,
    version: world.ids.next(),
    default_member_permissions: permissions,
  };
  // The form was validated by the rules of the type's variants.
  return withoutUndefined(object) as APIApplicationCommand;
}

const COMMAND_PATHS = [
  '/applications/:applicationId/commands',
  '/applications/:applicationId/guilds/:guildId/commands',
] as const;

interface CommandParams {
  readonly applicationId: Snowflake;
  readonly guildId?: Snowflake;
}

/**
 * Returns the owner of the commands that a call is about, by the token of the application's bot, or a bearer token with
 * one of some scopes.
 *
 * @throws {RestRefusal} 401 without a token; 403 (50001) without such a scope, for another application or a guild
 * without the bot; 404 (10004) for an unknown guild
 * @see https://discord.com/developers/docs/interactions/application-commands#authorizing-your-application
 */
function commandScope(
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
 * Registers the routes for the permissions of an application's commands in a guild. The application's id in place of a
 * command's id stands for all of its commands. Permissions can only be set with the token of a user who may manage the
 * guild and its roles, and use the command.
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
    const { guildId, commandId } = request.params;
    const member = userId === null ? null : world.guilds.findMember(guildId, userId);
    const { ManageGuild, ManageRoles } = PermissionFlagsBits;
    const mayManage = member && has(world.guilds.permissionsOf(guildId, member), ManageGuild | ManageRoles);
    if (!mayManage) throw missingPermissions();
    const commands = [...world.commandsOf(applicationId, guildId), ...world.commandsOf(applicationId)];
    const command = commands.find((one) => one.id === commandId);
    if (!command && commandId !== applicationId) throw unknownCommand();
    if (command && !isCommandFor(world, command, guildId, member)) throw missingPermissions();
    const set = world.putCommandPermissions(guildId, { applicationId, id: commandId }, permissions);
    return set satisfies RESTPutAPIApplicationCommandPermissionsResult;
  });
}

function readScope(world: World, request: FastifyRequest<OfGuild>) {
  return commandScope(world, request, [ApplicationsCommandsUpdate, ApplicationCommandsPermissionsUpdate]);
}
