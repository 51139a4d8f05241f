import type {
  APIApplicationCommand,
  RESTGetAPIApplicationCommandsResult,
  RESTPutAPIApplicationCommandsResult,
} from 'discord-api-types/v10';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { World } from '../../world/world.ts';
import { flagText, optional } from '../form/fields.ts';
import { readForm } from '../form/read-form.ts';
import { readCommands } from './command/command-form.ts';
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
