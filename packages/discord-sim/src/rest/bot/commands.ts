import type {
  APIApplicationCommand,
  RESTGetAPIApplicationCommandsResult,
  RESTPutAPIApplicationCommandsResult,
  Snowflake,
} from 'discord-api-types/v10';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';

import type { World } from '../../world/world.ts';
import { missingAccess } from '../error-body.ts';
import { flag, optional } from '../form/fields.ts';
import { readForm } from '../form/read-form.ts';
import { joinedGuild } from './access.ts';
import { requireBot } from './bot-authorization.ts';
import { readCommands } from './command/command-form.ts';
import { commandObject } from './command/command-object.ts';

interface Scoped {
  Params: { applicationId: Snowflake; guildId?: Snowflake };
}

const listQuery = z.object({ with_localizations: optional(flag) });

/**
 * Registers the routes to read and overwrite an application's commands, global or of one guild.
 *
 * @see https://discord.com/developers/docs/interactions/application-commands#bulk-overwrite-global-application-commands
 */
export function commands(api: FastifyInstance, world: World): void {
  for (const path of [
    '/applications/:applicationId/commands',
    '/applications/:applicationId/guilds/:guildId/commands',
  ]) {
    api.get<Scoped>(path, async (request) => {
      const { applicationId, guildId } = scopeOf(world, request);
      const { with_localizations: localised = false } = readForm(listQuery, request.query);
      const listed = world.commands.list(applicationId, guildId);
      return (localised ? [...listed] : listed.map(withoutLocalisations)) satisfies RESTGetAPIApplicationCommandsResult;
    });

    api.put<Scoped>(path, async (request) => {
      const { applicationId, guildId } = scopeOf(world, request);
      const before = world.commands.list(applicationId, guildId);
      const registered = readCommands(request.body).map((command): APIApplicationCommand => {
        const known = before.find(({ type, name }) => type === command.type && name === command.name);
        const id = known?.id ?? world.ids.next();
        return commandObject(command, { id, applicationId, guildId, version: world.ids.next() });
      });
      world.commands.replace(applicationId, guildId, registered);
      return registered satisfies RESTPutAPIApplicationCommandsResult;
    });
  }
}

function scopeOf(world: World, request: FastifyRequest<Scoped>) {
  const bot = requireBot(request, world);
  const { applicationId, guildId = null } = request.params;
  if (applicationId !== bot.applicationId) throw missingAccess();
  if (guildId !== null) joinedGuild(world, bot, guildId);
  return { applicationId, guildId };
}

function withoutLocalisations(command: APIApplicationCommand): APIApplicationCommand {
  const { name_localizations: _names, description_localizations: _descriptions, ...plain } = command;
  return plain;
}
