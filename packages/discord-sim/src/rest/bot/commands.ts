import {
  type APIApplicationCommand,
  ApplicationIntegrationType,
  type RESTGetAPIApplicationCommandResult,
  type RESTGetAPIApplicationCommandsResult,
  RESTJSONErrorCodes,
  type RESTPatchAPIApplicationCommandResult,
  type RESTPostAPIApplicationCommandsResult,
  type RESTPutAPIApplicationCommandsResult,
  type Snowflake,
} from 'discord-api-types/v10';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { record } from '../../json.ts';
import type { CommandScope } from '../../world/bots.ts';
import type { World } from '../../world/world.ts';
import { refusal } from '../error-body.ts';
import { flagText, optional, withoutUndefined } from '../form/fields.ts';
import { readForm } from '../form/read-form.ts';
import { type CommandForm, readCommand, readCommands, requireRoom } from './command/command-form.ts';
import { COMMAND_PATHS, type CommandParams, commandScope } from './command/command-scope.ts';

const listQuery = z.object({ with_localizations: optional(flagText) });

/**
 * Registers the routes to read and overwrite all commands of an application, global or of one guild.
 *
 * @see https://discord.com/developers/docs/interactions/application-commands#bulk-overwrite-global-application-commands
 */
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
  }
}

function withoutLocalisations(command: APIApplicationCommand): APIApplicationCommand {
  const { name_localizations: _names, description_localizations: _descriptions, ...plain } = command;
  return plain;
}

interface OneCommand {
  Params: CommandParams & { readonly commandId: Snowflake };
}

/**
 * Registers the routes to create, read, edit and delete one command of an application, global or of one guild.
 *
 * @see https://discord.com/developers/docs/interactions/application-commands#create-global-application-command
 */
export function oneCommand(api: FastifyInstance, world: World): void {
  for (const path of COMMAND_PATHS) {
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

/** @throws {RestRefusal} 404 (10063) when the application has no such command there */
function knownCommand(world: World, request: FastifyRequest<OneCommand>) {
  const scope = commandScope(world, request);
  const listed = world.commands.list(scope.applicationId, scope.guildId);
  const command = listed.find(({ id }: APIApplicationCommand) => id === request.params.commandId);
  if (!command) throw refusal(404, RESTJSONErrorCodes.UnknownApplicationCommand, 'Unknown application command');
  return { scope, listed, command };
}

/** Returns the command of the same type and name, which another one replaces. */
function namesake(commands: readonly APIApplicationCommand[], { type, name }: CommandForm) {
  return commands.find((command) => command.type === type && command.name === name);
}

/**
 * Registers a command, by default under a new id.
 *
 * @see https://discord.com/developers/docs/interactions/application-commands#application-command-object
 */
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
  // The form has been checked against the rules that the type's variants express.
  return withoutUndefined(object) as APIApplicationCommand;
}
