import {
  type APIApplicationCommand,
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
import type { World } from '../../world/world.ts';
import { refusal } from '../error-body.ts';
import { flagText, optional } from '../form/fields.ts';
import { readForm } from '../form/read-form.ts';
import { readCommand, readCommands, requireRoom } from './command/command-form.ts';
import { commandObject } from './command/command-object.ts';
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
        const known = before.find(({ type, name }) => type === command.type && name === command.name);
        return commandObject(command, { ...scope, id: known?.id ?? world.ids.next(), version: world.ids.next() });
      });
      world.commands.replace(scope.applicationId, scope.guildId, registered);
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
      const known = listed.find(({ type, name }) => type === form.type && name === form.name);
      const others = listed.filter((command) => command !== known);
      requireRoom([...others, form]);
      const created = commandObject(form, { ...scope, id: known?.id ?? world.ids.next(), version: world.ids.next() });
      world.commands.replace(scope.applicationId, scope.guildId, [...others, created]);
      return reply.code(known ? 200 : 201).send(created satisfies RESTPostAPIApplicationCommandsResult);
    });

    api.get<OneCommand>(`${path}/:commandId`, async (request) => {
      return knownCommand(world, request).command satisfies RESTGetAPIApplicationCommandResult;
    });

    api.patch<OneCommand>(`${path}/:commandId`, async (request) => {
      const { scope, listed, command } = knownCommand(world, request);
      const form = readCommand({ ...command, ...record(request.body), type: command.type });
      const edited = commandObject(form, { ...scope, id: command.id, version: world.ids.next() });
      world.commands.replace(
        scope.applicationId,
        scope.guildId,
        listed.map((other) => (other === command ? edited : other)),
      );
      return edited satisfies RESTPatchAPIApplicationCommandResult;
    });

    api.delete<OneCommand>(`${path}/:commandId`, async (request, reply) => {
      const { scope, listed, command } = knownCommand(world, request);
      world.commands.replace(
        scope.applicationId,
        scope.guildId,
        listed.filter((other) => other !== command),
      );
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
